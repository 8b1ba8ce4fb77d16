// Lessons that agents have learned: shown, corrected and exported by a person, also during a run: a change is one transaction,
// and the engine looks for changes before it uses a lesson.

import { filesOfCheckout } from '../../git/user/checkout-and-worktrees.ts'
import { inspect } from '../../git/user/repository.ts'
import { makeRoom, trust } from '../../learning/absorb.ts'
import { lessonId, pathsIn, tidy } from '../../learning/observe.ts'
import { DOMAINS, GENERAL } from '../../learning/task-features.ts'
import type { Known, Lesson } from '../../learning-records.ts'
import { mapped, ok, type Result, refuse } from '../../problem.ts'
import { secretValues } from '../../process/secrets.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export type DomainLessons = { domain: string; lessons: Lesson[] }

export async function listLessons(
  workspace: Workspace,
  { domain }: { domain?: string | undefined } = {},
): Promise<Result<DomainLessons[]>> {
  const lessons = await readLessons(workspace)
  if (!lessons.ok) return lessons
  const all = [...Map.groupBy(lessons.value, (one) => one.domain)]
    .map(([name, some]) => ({ domain: name, lessons: some.toSorted((a, b) => b.confidence - a.confidence) }))
    .sort((a, b) => (a.domain < b.domain ? -1 : 1))
  if (domain === undefined) return ok(all)
  const found = all.filter((one) => one.domain === domain)
  const known = all.length === 0 ? 'of none yet' : `of ${all.map((one) => one.domain).join(', ')}`
  return found.length > 0 ? ok(found) : refuse(`nothing is known of the domain ${domain}, only ${known}`)
}

export async function readLessonsOfRun(workspace: Workspace, { run }: { run: string }): Promise<Result<Lesson[]>> {
  return mapped(await readLessons(workspace), (lessons) =>
    lessons.filter(({ evidence }) => evidence.some((one) => one.run === run)),
  )
}

export async function readLesson(workspace: Workspace, { id }: { id: string }): Promise<Result<Lesson>> {
  const lessons = await readLessons(workspace)
  return lessons.ok ? lessonNamed(lessons.value, id) : lessons
}

function readLessons(workspace: Workspace): Promise<Result<Lesson[]>> {
  return workspace.read<Lesson[]>([], async (store) => ok(await store.lessons()))
}

/** Number of damaged rows of lessons and attempts, which are ignored everywhere. */
export async function countDamaged(workspace: Workspace): Promise<Result<number>> {
  return workspace.read(0, async (store) => ok(await store.damaged()))
}

/** `id` may be the beginning of an id. */
function lessonNamed(lessons: Iterable<Lesson>, id: string): Result<Lesson> {
  const found = id.length < SHORTEST ? [] : [...lessons].filter((one) => one.id.startsWith(id.toLowerCase()))
  const [first, second] = found
  if (!first) return refuse(`there is no lesson ${id}: \`espalier expertise list\` shows those there are`)
  if (second) return refuse(`${found.length} lessons begin with ${id}: name more of it`)
  return ok(first)
}

const SHORTEST = 4

/** All lessons as one Markdown text. `environment`: the values of its secret variables are left out. */
export async function exportLessons(
  workspace: Workspace,
  { environment = {} }: { environment?: Readonly<Record<string, string | undefined>> | undefined } = {},
): Promise<Result<{ text: string; lessons: number }>> {
  const secrets = secretValues(environment)
  return mapped(await listLessons(workspace), (listed) => {
    const blocks = listed.map(({ domain, lessons }) => {
      const lines = lessons.map((one) => `- ${tidy(one.text, secrets)} (${Math.round(one.confidence * 100)} %)`)
      return `\n## ${domain}\n\n${lines.join('\n')}\n`
    })
    const lessons = listed.reduce((sum, one) => sum + one.lessons.length, 0)
    return { text: `# Lessons of earlier tasks\n${blocks.join('')}`, lessons }
  })
}

/** Changes the words or the confidence of a lesson. A lesson that is hardly trusted is dropped. */
export async function editLesson(
  workspace: Workspace,
  { id, text, confidence }: { id: string; text?: string | undefined; confidence?: number | undefined },
): Promise<Result<Lesson>> {
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1))
    return refuse(`a confidence is a number from 0 to 1, not ${confidence}`)
  const words = text === undefined ? null : tidy(text)
  if (words === '') return refuse('a lesson needs words: to drop it, give it a confidence of 0')
  const files = await filesHere(workspace)
  if (!files.ok) return files
  return changeLesson(workspace, (known) => {
    const found = lessonNamed(known.values(), id)
    if (!found.ok) return found
    const before = found.value
    // A person's words turn a lesson into advice: agents that see it again do not reword it.
    const inWords = words === null || words === before.text ? {} : adviceOf(words, files.value)
    const after = { ...before, ...inWords, confidence: confidence ?? before.confidence, updatedAt: Date.now() }
    trust(known, after)
    return ok(after)
  })
}

export async function addLesson(
  workspace: Workspace,
  { text, domain = GENERAL }: { text: string; domain?: string | undefined },
): Promise<Result<Lesson>> {
  const words = tidy(text)
  if (words === '') return refuse('a lesson needs words')
  const domains = [GENERAL, ...Object.keys(DOMAINS)]
  if (!domains.includes(domain)) return refuse(`there is no domain ${domain}, only ${domains.join(', ')}`)
  const files = await filesHere(workspace)
  if (!files.ok) return files
  return changeLesson(workspace, (known) => {
    // Also the id of an agent's lesson with the same words.
    const id = lessonId({ domain, kind: 'advice', key: words.toLowerCase() })
    if (known.has(id)) return refuse(`that is known already, as lesson ${id}`)
    const at = Date.now()
    const lesson: Lesson = {
      ...{ id, domain, ...adviceOf(words, files.value), confidence: OF_A_PERSON, seen: 1 },
      ...{ helped: 0, failed: 0, evidence: [], learnedAt: at, updatedAt: at },
    }
    known.set(id, lesson)
    return ok(lesson)
  })
}

const OF_A_PERSON = 0.8

/** Paths that were never in the repository do not count. */
function adviceOf(text: string, files: ReadonlySet<string>): Pick<Lesson, 'kind' | 'text' | 'paths'> {
  return { kind: 'advice', text, paths: pathsIn(text).filter((path) => files.has(path)) }
}

async function filesHere({ repo }: Workspace): Promise<Result<ReadonlySet<string>>> {
  const user = await inspect(repo)
  return user.ok ? ok(await filesOfCheckout(user.value.top)) : user
}

/** `change` changes one lesson in place, or refuses. */
async function changeLesson(workspace: Workspace, change: (known: Known) => Result<Lesson>): Promise<Result<Lesson>> {
  return workspace.write(async (store) => {
    let changed: Result<Lesson> = refuse('nothing was changed')
    await store.learn((known) => {
      changed = change(known)
      return { touched: changed.ok ? [changed.value.id, ...makeRoom(known, changed.value.domain)] : [] }
    })
    return changed
  })
}
