// Conflict markers that say whose side is whose: git writes the ids of two commits there, which say nothing to a person.
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type EngineRepository, inEngine } from '../engine/repository.ts'
import { writeObject } from '../engine/write-object.ts'
import { git, gitText } from '../run/git.ts'
import { readObjects } from '../run/read-objects.ts'
import { treeEntries } from '../trees/tree-of.ts'

type Sides = { tree: string; paths: readonly string[]; onto: string; work: string; name: string }

/** The tree with `<<<<<<< landed` and `>>>>>>> NAME` in its files. `paths`: in conflict, one character per byte. */
export async function nameSides(engine: EngineRepository, { tree, paths, onto, work, name }: Sides): Promise<string> {
  const wanted = new Set(paths)
  const entries = (await treeEntries(engine, tree)).filter(({ path }) => wanted.has(path))
  const contents = await readObjects(
    engine,
    entries.map(({ id }) => id),
    MAX_BYTES,
  )
  const changed = entries.flatMap(({ mode, id, path }) => {
    const before = contents.get(id)?.toString('latin1')
    const after = before && named(named(before, '<', onto, 'landed'), '>', work, name)
    if (!after || after === before) return []
    return [`${mode} ${writeObject(engine, 'blob', Buffer.from(after, 'latin1'))} 0\t${path}\0`]
  })
  if (changed.length === 0) return tree
  const index = join(engine.gitDir, `sides-${randomBytes(6).toString('hex')}.index`)
  const options = { ...inEngine(engine), index }
  try {
    await git(['read-tree', tree], options)
    await git(['update-index', '-z', '--index-info'], { ...options, input: Buffer.from(changed.join(''), 'latin1') })
    return await gitText(['write-tree'], options)
  } finally {
    await rm(index, { force: true })
  }
}

/** Where a file was renamed, git writes its path behind the id. */
function named(text: string, sign: '<' | '>', id: string, name: string): string {
  return text.replace(new RegExp(`^(${sign}{7,}) ${id}(?=[:\\r\\n]|$)`, 'gm'), `$1 ${name}`)
}

/** Of one file: larger ones keep the ids. */
const MAX_BYTES = 5_000_000
