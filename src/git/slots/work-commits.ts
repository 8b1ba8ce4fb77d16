// The commits of a piece of work, read as objects: who made them, and what they say.
import { LIMITS } from '../../config.ts'
import { type EngineRepository, inEngine } from '../engine/repository.ts'
import type { Author } from '../engine/write-commit.ts'
import { gitText } from '../run/git.ts'
import { readObjects } from '../run/read-objects.ts'

export type WorkCommit = {
  commit: string
  tree: string
  parents: string[]
  /** Null if git would not take the name again. */
  author: Author | null
  message: string
}

/** From the oldest to the newest, those after `base`. Null if there are too many, or one is too large. */
export async function workCommits(
  engine: EngineRepository,
  { base, work }: { base: string; work: string },
): Promise<WorkCommit[] | null> {
  const max = LIMITS.replayedCommits + 1
  const args = ['rev-list', '--topo-order', `--max-count=${max}`, work, `^${base}`]
  const listed = await gitText(args, inEngine(engine))
  const ids = listed.split('\n').filter((id) => id !== '')
  if (ids.length === max) return null
  const objects = await readObjects(engine, ids, MAX_COMMIT_BYTES)
  const commits: WorkCommit[] = []
  for (const id of ids.reverse()) {
    const object = objects.get(id)
    if (!object) return null
    commits.push(parseCommit(id, object.toString('utf8')))
  }
  return commits
}

const MAX_COMMIT_BYTES = 1 << 20

function parseCommit(commit: string, text: string): WorkCommit {
  const end = text.indexOf('\n\n')
  const headers = (end < 0 ? text : text.slice(0, end)).split('\n')
  const all = (name: string) =>
    headers.flatMap((line) => (line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : []))
  return {
    commit,
    tree: all('tree')[0] ?? '',
    parents: all('parent'),
    author: authorOf(all('author')[0] ?? ''),
    message: end < 0 ? '' : text.slice(end + 2),
  }
}

function authorOf(line: string): Author | null {
  const [, name = '', email = '', date] = /^(.*?) ?<([^>]*)>(?: (\d{1,12} [+-]\d{4}))?/.exec(line) ?? []
  // Git leaves these away and refuses a name of which nothing is left.
  if (/^[\s.,:;<>"\\']*$/.test(name)) return null
  return { name, email, date }
}
