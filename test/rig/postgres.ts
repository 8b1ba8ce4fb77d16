// A real Postgres for tests: one server for each test process, started by the first that needs it, and a database of its own
// for each test.
import { after } from 'node:test'
import { type PostgresServer, startPostgres, type TestDatabase } from './postgres-server.ts'

/** On the server that all tests of this process share. It goes when the process ends. */
export async function testDatabase(): Promise<TestDatabase> {
  shared ??= startPostgres()
  return (await shared).newDatabase()
}

let shared: Promise<PostgresServer> | null = null

after(async () => {
  const server = await shared
  shared = null
  await server?.[Symbol.asyncDispose]()
})
