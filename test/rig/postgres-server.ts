// A Postgres server for tests and benchmarks. It ends with the process that started it, also when that is killed: a shell that
// waits for the end of its input ends it.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { loadEmbeddedPostgres } from '../../scripts/embedded-postgres.ts'

export type TestDatabase = AsyncDisposable & { url: string; server: PostgresServer }

export type PostgresServer = AsyncDisposable & {
  port: number
  /** Of one of its databases. */
  url(database: string): string
  newDatabase(): Promise<TestDatabase>
  /** As `pg_ctl stop -m fast` does: every connection is ended, what was committed stays. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** Where it can be reached besides on this machine, and from where (`10.77.0.0/16`). */
type Place = { address?: string; network?: string }

/** A server of one's own, for tests that stop it. */
export async function startPostgres({ address = '127.0.0.1', network }: Place = {}): Promise<PostgresServer> {
  const Embedded = await loadEmbeddedPostgres()
  const root = mkdtempSync(join(tmpdir(), 'espalier-postgres-'))
  chmodSync(root, 0o755) // as root, Postgres runs as another user
  const databaseDir = join(root, 'data')
  const [port, log] = [await freePort(), [] as string[]]
  const server = new Embedded({
    ...{ databaseDir, port, user: USER, password: PASSWORD, persistent: true },
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    // Tests kill programs, never the machine: what the kernel has is safe.
    postgresFlags: [
      ...['-c', 'fsync=off', '-c', 'unix_socket_directories=', '-c', 'max_connections=200'],
      ...['-c', `listen_addresses=localhost,${address}`],
    ],
    onLog: (line) => log.push(line),
    onError: (trouble) => log.push(String(trouble)),
  })
  const guard = guardian(root)
  const start = async () => {
    await server.start().catch(() => {
      throw new Error(`Postgres did not start:\n${log.slice(-20).join('')}`)
    })
    guard.watch(await readFile(join(databaseDir, 'postmaster.pid'), 'utf8'))
  }
  try {
    await server.initialise()
    if (network) appendFileSync(join(databaseDir, 'pg_hba.conf'), `host all all ${network} password\n`)
    await start()
  } catch (error) {
    rmSync(root, { recursive: true, force: true })
    throw error
  }
  const url = (database: string) => `postgres://${USER}:${PASSWORD}@${address}:${port}/${database}`
  const self: PostgresServer = {
    port,
    url,
    start,
    stop: () => server.stop(),
    async newDatabase() {
      const name = `t${randomBytes(6).toString('hex')}`
      await administer(url('postgres'), `create database ${name} template template0`)
      return {
        ...{ url: url(name), server: self },
        async [Symbol.asyncDispose]() {
          await administer(url('postgres'), `drop database if exists ${name} with (force)`)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await server.stop()
      guard.dismiss()
      rmSync(root, { recursive: true, force: true })
    },
  }
  return self
}

const USER = 'espalier'
const PASSWORD = 'not-a-secret-7f3a'

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Ends the server that runs when this process is gone, whatever became of it. */
function guardian(root: string): { watch(postmaster: string): void; dismiss(): void } {
  const script = `while read -r line; do pid=$line; done
    [ "$pid" = done ] && exit
    kill -QUIT "$pid" 2>/dev/null; while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
    rm -rf "$1"`
  const shell = spawn('sh', ['-c', script, 'sh', root], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  shell.unref()
  shell.stdin.on('error', () => {})
  ;(shell.stdin as unknown as { unref?(): void }).unref?.()
  return {
    watch: (postmaster) => void shell.stdin.write(`${postmaster.split('\n')[0]}\n`),
    dismiss: () => void shell.stdin.end('done\n'),
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
