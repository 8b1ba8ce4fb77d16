import assert from 'node:assert/strict'
import type { Result } from '../../../src/problem.ts'
import { openStore } from '../../../src/store/open.ts'
import { testDatabase } from '../../rig/postgres.ts'
import type { StoreRig } from '../contract.ts'
import { startWriter } from '../start-writer.ts'

export async function postgresRig(): Promise<StoreRig & { url: string }> {
  const database = await testDatabase()
  return {
    url: database.url,
    open: async () => value(await openStore(database.url)),
    startWriter: () => startWriter(database.url),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

export function value<T>(result: Result<T>): T {
  assert.ok(result.ok, JSON.stringify(result))
  return result.value
}
