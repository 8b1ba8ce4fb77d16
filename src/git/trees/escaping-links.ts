// Symbolic links that lead out of the repository, to somewhere else on every machine. A link is followed as far as the
// tree goes, through other links. Its target need not exist.
import type { EngineRepository } from '../engine/engine-repository.ts'
import { readObjects } from '../run/read-objects.ts'
import { treeEntries } from './tree-of.ts'

export const SYMLINK = '120000'

/** Links (one character per byte) that lead out in `work` and did not already do so, unchanged, in `base`. */
export async function escapingLinks(
  engine: EngineRepository,
  { base, work }: { base: string; work: string },
): Promise<string[]> {
  const [before, after] = await Promise.all([linksOf(engine, base), linksOf(engine, work)])
  const objects = await readObjects(engine, [...before.values(), ...after.values()], MAX_TARGET_BYTES)
  const targetsOf = (links: Links): Targets =>
    new Map([...links].map(([path, id]) => [path, objects.get(id)?.toString('latin1') ?? null]))
  const [old, now] = [targetsOf(before), targetsOf(after)]
  return [...now.keys()].filter((path) => {
    const isOld = before.get(path) === after.get(path) && escapes(path, old)
    return !isOld && escapes(path, now)
  })
}

type Links = Map<string, string>

/** Targets by path; null: too long to be a path. */
type Targets = ReadonlyMap<string, string | null>

function escapes(path: string, links: Targets): boolean {
  const folders = path.split('/').slice(0, -1)
  const ahead = partsOf(links.get(path) ?? null)
  if (ahead === null) return true
  for (let hops = 0; ahead.length > 0; ) {
    const part = ahead.shift() as string
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (folders.pop() === undefined) return true
      continue
    }
    folders.push(part)
    // The folder of git is not under version control, and files in there can be run.
    if (folders.length === 1 && part.toLowerCase() === '.git') return true
    const target = links.get(folders.join('/'))
    if (target === undefined) continue
    if (++hops > MAX_HOPS) return false
    folders.pop()
    const parts = partsOf(target)
    if (parts === null) return true
    ahead.unshift(...parts)
  }
  return false
}

const MAX_TARGET_BYTES = 4_096
const MAX_HOPS = 64

function partsOf(target: string | null): string[] | null {
  return target === null || target.startsWith('/') ? null : target.split('/')
}

async function linksOf(engine: EngineRepository, commit: string): Promise<Links> {
  const links = (await treeEntries(engine, commit)).filter(({ mode }) => mode === SYMLINK)
  return new Map(links.map(({ path, id }) => [path, id]))
}
