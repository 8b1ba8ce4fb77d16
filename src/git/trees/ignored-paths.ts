// The paths that a commit ignores by its own `.gitignore` files, or the user by theirs, whatever the worktree holds
// now.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { EngineRepository } from '../engine/engine-repository.ts'
import { gitRecords } from '../run/git.ts'
import { bytes, joined } from '../run/path-bytes.ts'
import { readObjects } from '../run/read-objects.ts'
import { treeEntries } from './tree-of.ts'

/** One character per byte. The paths need not exist. */
export async function ignoredPaths(
  engine: EngineRepository,
  commit: string,
  paths: readonly string[],
): Promise<Set<string>> {
  if (paths.length === 0) return new Set()
  const folder = await mkdtemp(join(engine.stateDir, 'ignoring-'))
  try {
    const work = join(folder, 'work')
    await mkdir(work)
    for (const { path, text } of await ignoreFiles(engine, commit)) {
      const inWork = (name: string) => Buffer.concat([Buffer.from(`${work}/`), bytes(name)])
      await mkdir(inWork(posix.dirname(path)), { recursive: true })
      await writeFile(inWork(path), text)
    }
    const own = join(folder, 'excludes')
    await writeFile(own, engine.user.excludes)
    const args = ['-c', `core.excludesFile=${own}`, 'check-ignore', '--no-index', '-z', '--stdin']
    const place = { gitDir: engine.gitDir, workTree: work, cwd: work }
    return new Set(await gitRecords(args, { ...place, input: joined(paths), okCodes: [0, 1] }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function ignoreFiles(engine: EngineRepository, commit: string): Promise<{ path: string; text: Buffer }[]> {
  const entries = (await treeEntries(engine, commit)).filter(
    ({ path, mode }) => posix.basename(path) === '.gitignore' && mode.startsWith('100'),
  )
  const texts = await readObjects(
    engine,
    entries.map(({ id }) => id),
    MAX_BYTES,
  )
  return entries.flatMap(({ path, id }) => {
    const text = texts.get(id)
    return text ? [{ path, text }] : []
  })
}

const MAX_BYTES = 1 << 20
