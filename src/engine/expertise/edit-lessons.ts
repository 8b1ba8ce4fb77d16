// What agents know, changed by a person: a lesson in other words, one more, or without what is out of date.
import type { Settings } from '../../config.ts'
import { filesOfCheckout } from '../../git/user/files.ts'
import { inspect } from '../../git/user/repository.ts'
import { type Files, prune } from '../../learning/absorb.ts'
import { DOMAINS, GENERAL } from '../../learning/domain.ts'
import { lessonId, observe, tidy } from '../../learning/observe.ts'
import type { Audited, Known, Lesson, LessonChanges } from '../../lesson.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { lessonNamed } from './list-lessons.ts'

type Learning = Pick<Settings['learning'], 'linesPerDomain' | 'domains'>

export const BY_HAND = 'by hand'

/** In other words, or with another confidence. `id`: or its beginning. */
export async function editLesson(
  workspace: Workspace,
  options: { id: string; text?: string | undefined; confidence?: number | undefined },
): Promise<Result<Lesson>> {
  const { id, text, confidence } = options
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1))
    return refuse(`a confidence is a number from 0 to 1, not ${confidence}`)
  const words = text === undefined ? null : tidy(text)
  if (words === '') return refuse('a lesson needs words: to be rid of it, give it a confidence of 0 and prune')
  const files = await filesHere(workspace)
  if (!files.ok) return files
  return changingLessons(workspace, {}, (known) => {
    const found = lessonNamed(known.values(), id)
    if (!found.ok) return found
    const before = found.value
    const after = { ...before, ...inWords(before, words, files.value), confidence: confidence ?? before.confidence }
    const why = differences(before, after)
    if (why.length === 0) return ok({ value: before, audit: [] })
    const changed: Lesson = { ...after, updatedAt: Date.now(), version: before.version + 1 }
    known.set(changed.id, changed)
    return ok({ value: changed, audit: [noted(changed, 'edited', `${BY_HAND}: ${why.join(', ')}`)] })
  })
}

/** What a person says is advice from then on, whatever it was: seen again, it keeps their words. */
function inWords(before: Lesson, words: string | null, files: ReadonlySet<string>): Partial<Lesson> {
  if (words === null || words === before.text) return {}
  return { text: words, kind: 'advice', paths: adviceOf(before.domain, words, files).paths }
}

function differences(before: Lesson, after: Lesson): string[] {
  const said = before.text === after.text ? [] : ['other words']
  if (before.confidence === after.confidence) return said
  return [...said, `confidence ${before.confidence.toFixed(2)} → ${after.confidence.toFixed(2)}`]
}

export async function addLesson(
  workspace: Workspace,
  options: { text: string; domain?: string | undefined; learning: Learning },
): Promise<Result<Lesson>> {
  const { text, domain = GENERAL, learning } = options
  const words = tidy(text)
  if (words === '') return refuse('a lesson needs words')
  const files = await filesHere(workspace)
  if (!files.ok) return files
  return changingLessons(workspace, {}, (known) => {
    const domains = [...new Set([GENERAL, ...Object.keys(DOMAINS), ...Object.keys(learning.domains)])]
    if (!domains.includes(domain))
      return refuse(
        `there is no domain ${domain}, only ${domains.join(', ')}; your own are listed under \`learning.domains\` in .espalier/config.yaml`,
      )
    const { id, paths } = adviceOf(domain, words, files.value)
    if (known.has(id)) return refuse(`that is known already, as lesson ${id}`)
    const at = Date.now()
    const lesson: Lesson = {
      ...{ id, domain, kind: 'advice', text: words, paths, confidence: OF_A_PERSON, seen: 1 },
      ...{ helped: 0, failed: 0, evidence: [], learnedAt: at, updatedAt: at, version: 1 },
    }
    known.set(id, lesson)
    const room = withinBounds(known, learning)
    return ok({ value: lesson, audit: [noted(lesson, 'learned', BY_HAND), ...room] })
  })
}

const OF_A_PERSON = 0.8

export type PrunedLesson = { lesson: Lesson; why: string }

/** Drops lessons about files that are gone, those nobody trusts, and the least trusted of a domain that has too many. */
export async function pruneLessons(
  workspace: Workspace,
  options: { learning: Learning; dryRun?: boolean | undefined },
): Promise<Result<PrunedLesson[]>> {
  const there = await filesHere(workspace)
  if (!there.ok) return there
  const files: Files = { now: (path) => there.value.has(path), before: () => true }
  return changingLessons(workspace, options, (known) => {
    const before: Known = new Map(known)
    const { audit } = prune(known, files, Date.now(), options.learning, true)
    const dropped = audit.filter(({ action }) => action === 'pruned')
    const value = dropped.map(({ lesson, why }) => ({ lesson: before.get(lesson) as Lesson, why }))
    return ok({ value, audit: audit.map(byHand) })
  })
}

export function withinBounds(known: Known, learning: Pick<Learning, 'linesPerDomain'>): Audited[] {
  const there: Files = { now: () => true, before: () => true }
  return prune(known, there, Date.now(), learning).audit.map(byHand)
}

function byHand(one: Audited): Audited {
  return { ...one, why: `${BY_HAND}: ${one.why}` }
}

async function filesHere({ repo }: Workspace): Promise<Result<ReadonlySet<string>>> {
  const user = await inspect(repo)
  return user.ok ? ok(await filesOfCheckout(user.value.top)) : user
}

function noted({ id, version, updatedAt }: Lesson, action: Audited['action'], why: string): Audited {
  return { at: updatedAt, lesson: id, action, version, why }
}

/** The same words are the same lesson, whoever says them. Paths that were never in the repository do not count. */
function adviceOf(domain: string, text: string, files: ReadonlySet<string>): Pick<Lesson, 'id' | 'paths'> {
  const evidence = { run: '', task: '', attempt: 1, session: null, commit: null }
  const said = { domain, evidence, succeeded: true, touched: [], undeclared: [], checks: [], fixed: [] }
  const [advice] = observe({ ...said, conflicts: [], denied: [], advice: [text] })
  if (!advice) throw new Error('advice is always an observation')
  return { id: lessonId(advice), paths: advice.paths.filter((path) => files.has(path)) }
}

// Also while an engine works: a change is one transaction, and the engine looks again before it uses a lesson.

/** Changes `known` in place, and says why; or refuses, and then nothing of it is kept. */
export type Change<T> = (known: Known) => Result<{ value: T; audit: Audited[] }>

/** A state folder is made where there is none: lessons can be brought along before the first run. */
export async function changingLessons<T>(
  workspace: Workspace,
  { dryRun }: { dryRun?: boolean | undefined },
  change: Change<T>,
): Promise<Result<T>> {
  if (dryRun) {
    const known = await workspace.read<Lesson[]>([], async (store) => ok(await store.lessons()))
    return known.ok ? answerOf(change(new Map(known.value.map((one) => [one.id, one])))) : known
  }
  return workspace.write(async (store) => {
    const answers: Result<T>[] = []
    await store.learn((known) => {
      const before: Known = new Map(known)
      const changed = change(known)
      answers.push(answerOf(changed))
      return { lessons: changed.ok ? changesSince(before, known, changed.value.audit) : NOTHING }
    })
    return answers[0] as Result<T>
  })
}

function answerOf<T>(changed: Result<{ value: T; audit: Audited[] }>): Result<T> {
  return changed.ok ? ok(changed.value.value) : changed
}

const NOTHING: LessonChanges = { saved: [], dropped: [], audit: [] }

function changesSince(before: Known, after: Known, audit: Audited[]): LessonChanges {
  return {
    saved: [...after.values()].filter((one) => before.get(one.id) !== one),
    dropped: [...before.keys()].filter((id) => !after.has(id)),
    audit,
  }
}
