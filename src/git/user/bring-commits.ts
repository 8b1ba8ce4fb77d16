// Brings commits of the engine's repository, with all they need, into the user's: objects, and nothing else.
//
// A few objects that lie loose in the engine's repository are linked, or copied where that is another disk: what git's
// `clone --local` does. Many, or packed ones, go through git (pack.ts).
// Property: a commit is there only when everything it needs is, also after being killed at any point.
import { randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, linkSync, mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type EngineRepository, inEngine } from '../engine/engine-repository.ts'
import { transfer, UNPACK_LIMIT } from '../engine/pack.ts'
import { looseObject } from '../engine/write-object.ts'
import { type GitOptions, gitLines, gitText } from '../run/git.ts'
import { inLines, revisions } from '../run/path-bytes.ts'

type NewObjects = {
  commit: string
  /** Commits that the user's repository has. */
  since: readonly string[]
  /** From one of them. */
  descends: boolean
  commits: string[]
  others: string[]
}

export async function objectsSince(
  engine: EngineRepository,
  commit: string,
  ...since: readonly string[]
): Promise<NewObjects> {
  const found: NewObjects = { commit, since, descends: since.includes(commit), commits: [], others: [] }
  const args = ['rev-list', '--objects', '--boundary', '--stdin']
  const lines = await gitLines(args, { ...inEngine(engine), input: revisions([commit], since) })
  for (const line of lines) {
    // A commit stands alone; another object's id is followed by its path; `-` marks where the history was left.
    const [id = '', path] = line.split(' ')
    if (line.startsWith('-')) {
      found.descends ||= since.includes(line.slice(1))
      continue
    }
    if (path === undefined) found.commits.push(id)
    else found.others.push(id)
  }
  return found
}

export async function carry(engine: EngineRepository, user: GitOptions, news: NewObjects): Promise<void> {
  const { commit, since, commits, others } = news
  const isSmall = commits.length + others.length < UNPACK_LIMIT
  if (isSmall && (await linkAll(engine, user, news))) return
  await transfer({ from: inEngine(engine), to: user, want: [commit], have: since })
}

/** False: some objects are not loose files, or the system refuses; git says better why. */
async function linkAll(engine: EngineRepository, user: GitOptions, { commits, others }: NewObjects): Promise<boolean> {
  const left = others.filter((id) => !placeObject(engine, id))
  if (left.length > 0) {
    const there = await gitText(['cat-file', '--batch-check'], { ...user, input: inLines(left) })
    if (/ missing$/m.test(there)) return false
  }
  return commits.toReversed().every((id) => placeObject(engine, id))
}

function placeObject({ gitDir, user }: EngineRepository, id: string): boolean {
  const [from, to] = [looseObject(join(gitDir, 'objects'), id), looseObject(user.objectsDir, id)]
  try {
    // In a repository that several people share, the others write into that folder too.
    if (mkdirSync(dirname(to), { recursive: true })) chmodSync(dirname(to), statSync(user.objectsDir).mode)
    linkSync(from, to)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return refresh(to)
    return code === 'EXDEV' || code === 'EPERM' || code === 'EMLINK' ? copy(from, to) : false
  }
}

/** Renews an object that may be about to expire. */
function refresh(path: string): boolean {
  const now = new Date()
  try {
    utimesSync(path, now, now)
    return true
  } catch {
    return false
  }
}

function copy(from: string, to: string): boolean {
  // Git removes files with such a name.
  const draft = join(dirname(to), `tmp_obj_${randomBytes(6).toString('hex')}`)
  try {
    copyFileSync(from, draft)
    renameSync(draft, to)
    return true
  } catch {
    rmSync(draft, { force: true })
    return false
  }
}
