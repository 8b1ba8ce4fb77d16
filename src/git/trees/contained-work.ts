// Whether work is in a commit: as a part of its history, or, squashed, rebased or picked, by its content.
import { type EngineRepository, inEngine } from '../engine/engine-repository.ts'
import { writeCommit } from '../engine/write-object.ts'
import { readTrailers } from '../landing/commit-message.ts'
import { git, gitLines, gitText } from '../run/git.ts'
import { revisions } from '../run/path-bytes.ts'
import { inUser } from '../user/publish.ts'
import { treeOf } from './tree-of.ts'

/** The commits that `commit` does not build on, except those that do not exist any more. */
export async function missingIn(
  engine: EngineRepository,
  commit: string,
  commits: readonly string[],
): Promise<Set<string>> {
  const input = revisions(commits, [commit])
  const missing = new Set(await gitLines(['rev-list', '--ignore-missing', '--stdin'], { ...inEngine(engine), input }))
  return new Set(commits.filter((one) => missing.has(one)))
}

export async function isContained(engine: EngineRepository, commit: string, work: string): Promise<boolean> {
  if ((await missingIn(engine, commit, [work])).size === 0) return true
  return (await hasContentOf(engine, commit, work)) || (await hasChangesOf(engine, commit, work))
}

export async function hasContentOf(engine: EngineRepository, commit: string, work: string): Promise<boolean> {
  const args = ['merge-tree', '--write-tree', '--no-messages', commit, work]
  // 1: they conflict. 128: they have no common history.
  const { code, stdout } = await git(args, { ...inEngine(engine), okCodes: [0, 1, 128] })
  return code === 0 && stdout.toString('utf8').trim() === (await treeOf(engine, commit))
}

/** Whether the changes of `work` were made there once, as one commit or one by one, whatever was changed after. */
export async function hasChangesOf(engine: EngineRepository, commit: string, work: string): Promise<boolean> {
  const parent = await gitText(['merge-base', commit, work], { ...inEngine(engine), okCodes: [0, 1] })
  if (parent === '') return false
  if (await hasPatchesOf(engine, commit, work)) return true
  const squash = writeCommit(engine, { tree: await treeOf(engine, work), parents: [parent], message: 'squash\n' })
  return hasPatchesOf(engine, commit, squash)
}

/** Git marks commits that another one equals with `-`, and others with `+`; it leaves merges out. */
async function hasPatchesOf(engine: EngineRepository, commit: string, work: string): Promise<boolean> {
  const lines = await gitLines(['cherry', commit, work], inEngine(engine))
  return lines.length > 0 && lines.every((line) => line.startsWith('-'))
}

export async function tasksCopiedTo(engine: EngineRepository, commit: string, branch: string) {
  const args = ['log', '-z', '--format=%B', '--fixed-strings', '--grep=Espalier-Task: ', commit, `^${branch}`]
  const { stdout } = await git(args, inEngine(engine))
  return stdout.toString('utf8').split('\0').flatMap(tasksNamedIn)
}

/** A squash has the messages of all its commits as paragraphs, perhaps indented. */
function tasksNamedIn(message: string) {
  return message.split(/\n[ \t]*\n/).flatMap((paragraph) => {
    const { run, tasks } = readTrailers(paragraph.replace(/^[ \t]+/gm, '')) ?? { run: '', tasks: [] }
    return tasks.map(({ task }) => ({ run, task }))
  })
}

export async function branchesOfRuns(engine: EngineRepository): Promise<Map<string, string>> {
  const args = ['for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/heads/espalier/']
  return new Map((await gitLines(args, inUser(engine))).map((line) => line.split(' ') as [string, string]))
}
