// Keeps the engine's repository small, at a quiet time: no agent runs, and the caller holds the lock.
//
// Git's own `gc` does not fit. With `--local` it drops every object that the user's repository has too, so that work
// would be gone from both once the user deletes a branch; without it, it copies all of the user's history. So the same
// is done here in small steps:
// 1. what the refs need, of the objects that are the engine's own, goes into one pack;
// 2. what nothing needs any more is set aside in a pack marked by a `.keep` file;
// 3. now that everything is in one of these, the packs and loose files it was in before go;
// 4. what has been set aside for two weeks goes for good.
//
// Properties
// - Nothing goes that a ref of the engine's repository needs, whatever the user's repository has or has not.
// - Nothing goes the moment it is not needed any more: two weeks later, and if it is needed again by then it stays.
// Tolerated: being killed at any point, and the user's git at work in their own repository.
// Not tolerated: another process that writes into the engine's repository.
import { once } from 'node:events'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { namesIn } from '../../files/if-there.ts'
import { type GitOptions, git, gitLines, gitText, startGit } from '../run/git.ts'
import { inLines } from '../run/path-bytes.ts'
import { type EngineRepository, inEngine } from './engine-repository.ts'

/** Throws GitFailure if git fails or takes too long; nothing is lost then. */
export async function maintain(
  engine: EngineRepository,
  { timeoutMs, now = Date.now() }: { timeoutMs: number; now?: number },
) {
  const end = performance.now() + timeoutMs
  const options = () => ({ ...inEngine(engine), timeoutMs: Math.max(1, end - performance.now()) })
  await git(['pack-refs', '--all'], options())
  await removeUnfinished(engine, now)
  const packs = await listPacks(engine)
  const own = await ownObjects(engine, packs, options)
  const needed = await neededOf(own, options)
  const packed = await pack(engine, needed, options())
  const unneeded = [...own]
    .filter(([id, place]) => place !== 'aside' && !needed.has(id))
    .map(([id]) => [id, id] as const)
  const aside = await pack(engine, new Map(unneeded), options())
  if (aside !== null) await writeFile(fileOf(engine, aside, 'keep'), 'nothing needs these objects any more\n')
  // Objects that are needed again may make the very pack that they were set aside in.
  if (packed !== null) await rm(fileOf(engine, packed, 'keep'), { force: true })
  const stays = new Set([packed, aside])
  for (const { name, kept } of packs) if (!kept && !stays.has(name)) await removePack(engine, name)
  await git(['prune-packed', '-q'], options())
  const expired = packs.filter(({ name, kept, at }) => kept && !stays.has(name) && at < now - UNNEEDED_FOR_MS)
  for (const { name } of expired) await removePack(engine, name)
  return { packed: needed.size, setAside: unneeded.length, dropped: expired.length }
}

type Place = Pick<EngineRepository, 'gitDir'>

export function clutter(engine: Place): { loose: number; packs: number } {
  const names = namesIn(join(engine.gitDir, 'objects', 'pack'))
  const packs = names.filter((name) => name.endsWith('.pack') && !names.includes(name.replace(/pack$/, 'keep')))
  return { loose: looseObjects(engine).length, packs: packs.length }
}

const UNNEEDED_FOR_MS = 14 * 24 * 3_600_000
const UNFINISHED_MS = 24 * 3_600_000

type Pack = { name: string; kept: boolean; at: number }

async function listPacks(engine: EngineRepository): Promise<Pack[]> {
  const names = new Set(await readdir(join(engine.gitDir, 'objects', 'pack')))
  const packs = [...names].filter((file) => file.endsWith('.idx')).map((file) => file.slice(0, -'.idx'.length))
  const whole = packs.filter((name) => names.has(`${name}.pack`))
  return Promise.all(
    whole.map(async (name) => {
      const { mtimeMs } = await stat(fileOf(engine, name, 'pack'))
      return { name, kept: names.has(`${name}.keep`), at: mtimeMs }
    }),
  )
}

async function ownObjects(
  engine: EngineRepository,
  packs: Pack[],
  options: () => GitOptions,
): Promise<Map<string, 'here' | 'aside'>> {
  const own = new Map<string, 'here' | 'aside'>()
  for (const id of looseObjects(engine)) own.set(id, 'here')
  for (const { name, kept } of packs) {
    const index = await readFile(fileOf(engine, name, 'idx'))
    for (const line of await gitLines(['show-index'], { ...options(), input: index })) {
      const id = line.split(' ')[1]
      if (id) own.set(id, kept ? 'aside' : (own.get(id) ?? 'here'))
    }
  }
  return own
}

/**
 * The own objects that a ref needs, each with its line for `pack-objects`. Objects that commits of the user need are
 * theirs to keep.
 */
async function neededOf(own: ReadonlyMap<string, unknown>, options: () => GitOptions): Promise<Map<string, string>> {
  const commits = await listed(['rev-list', '--all'], own, options())
  if (commits.size === 0) return commits
  const args = ['rev-list', '--objects', '--no-walk=unsorted', '--stdin']
  return listed(args, own, { ...options(), input: inLines(commits.keys()) })
}

async function listed(
  args: readonly string[],
  own: ReadonlyMap<string, unknown>,
  options: GitOptions,
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const { child, done } = startGit(args, options)
  const lines = createInterface({ input: child.stdout })
  lines.on('line', (line) => {
    const space = line.indexOf(' ')
    const id = space < 0 ? line : line.slice(0, space)
    if (own.has(id)) found.set(id, line)
  })
  await Promise.all([done, once(lines, 'close')])
  return found
}

async function pack(
  engine: EngineRepository,
  objects: ReadonlyMap<string, string>,
  options: GitOptions,
): Promise<string | null> {
  if (objects.size === 0) return null
  const base = join(engine.gitDir, 'objects', 'pack', 'pack')
  return `pack-${await gitText(['pack-objects', '-q', base], { ...options, input: inLines(objects.values()) })}`
}

async function removePack(engine: EngineRepository, name: string): Promise<void> {
  for (const kind of ['idx', 'rev', 'bitmap', 'mtimes', 'keep', 'pack'])
    await rm(fileOf(engine, name, kind), { force: true })
}

async function removeUnfinished(engine: EngineRepository, now: number): Promise<void> {
  const folder = join(engine.gitDir, 'objects', 'pack')
  for (const name of namesIn(folder).filter((one) => /^\.?tmp[-_]/.test(one))) {
    const { mtimeMs } = await stat(join(folder, name))
    if (mtimeMs < now - UNFINISHED_MS) await rm(join(folder, name), { force: true })
  }
}

function looseObjects(engine: Place): string[] {
  const folders = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'))
  return folders.flatMap((folder) =>
    namesIn(join(engine.gitDir, 'objects', folder))
      .filter((name) => LOOSE.test(name))
      .map((name) => folder + name),
  )
}

const LOOSE = /^[0-9a-f]{38}([0-9a-f]{24})?$/

function fileOf(engine: EngineRepository, name: string, kind: string): string {
  return join(engine.gitDir, 'objects', 'pack', `${name}.${kind}`)
}
