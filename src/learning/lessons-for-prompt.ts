// The lessons for a prompt: the best first, and few, because every line takes attention from the task.

import type { Lesson, LessonKind } from '../learning-records.ts'
import { type Claim, covers, toClaims } from '../scheduler/claims/overlap.ts'
import type { Claims } from '../task.ts'
import { CHECK_FAILED, PUT_RIGHT, tidy } from './observe.ts'
import { GENERAL } from './task-features.ts'

type Wanted = {
  domain: string
  claims: Claims
  words: readonly string[]
  /** Commands that will check the work, which the prompt names anyway. */
  verify: readonly string[]
  maxTokens: number
}

export function expertiseFor(lessons: Iterable<Lesson>, wanted: Wanted): Lesson[] {
  const claims = toClaims(wanted.claims)
  const words = new Set(wanted.words)
  const ranked: { lesson: Lesson; worth: number }[] = []
  for (const lesson of lessons) {
    const worth = worthOf(lesson, wanted.domain, claims, words)
    if (worth >= WORTH_SAYING) ranked.push({ lesson, worth })
  }
  ranked.sort((a, b) => b.worth - a.worth || (a.lesson.id < b.lesson.id ? -1 : 1))
  const chosen = new Map<string, Lesson>()
  let left = wanted.maxTokens
  for (const { lesson } of ranked) {
    if (left < FEWEST_TOKENS || chosen.size >= MOST_TOLD) break
    const tokens = tokensOf(lesson.text)
    const about = aboutOf(lesson)
    if (tokens > left || chosen.has(about) || !isSure(lesson) || !isNews(lesson, wanted, claims)) continue
    left -= tokens
    chosen.set(about, lesson)
  }
  return [...chosen.values()]
}

/**
 * True if enough different tasks have seen it: one sight may be chance. A task counts once, however often it was tried
 * or its plan was run.
 */
function isSure({ kind, seen, evidence }: Lesson): boolean {
  if (seen < SIGHTS[kind]) return false
  const tasks = new Set(evidence.map(({ run, task }) => `${run.replace(RUN_NUMBER, '')}/${task}`))
  // A lesson without evidence was written by a person.
  return tasks.size === 0 || tasks.size >= SIGHTS[kind]
}

/** True if it tells the task something new: not about paths it claims by name, nor about paths it does not touch. */
function isNews({ kind, paths, text }: Lesson, { claims: { write }, verify }: Wanted, claims: Claim[]): boolean {
  const isNamed = (path: string) => write.includes(path)
  const isClaimed = (path: string) => covers(claims, path)
  switch (kind) {
    case 'conflict':
      return write.length === 0 || (paths.some(isClaimed) && !paths.some(isNamed))
    case 'paths':
      return !paths.some(isClaimed)
    case 'fix':
      // A failed check without an error message names only its command, which is useless to tasks with other checks.
      return (
        !text.startsWith(`${CHECK_FAILED}\``) ||
        verify.some((one) => text.startsWith(`${CHECK_FAILED}\`${tidy(one)}\``))
      )
    case 'advice':
      return true
    default:
      return kind satisfies never
  }
}

/** Key that is equal for lessons of different domains that say the same. */
function aboutOf({ kind, paths, text }: Lesson): string {
  if (kind === 'conflict' || kind === 'paths') return JSON.stringify([kind, ...paths])
  // File names after this mark make no difference.
  const [what = text] = kind === 'fix' ? text.split(PUT_RIGHT) : [text]
  return what.toLowerCase()
}

/** Tasks that must have seen a lesson of each kind before others get it. */
const SIGHTS: Record<LessonKind, number> = { advice: 1, fix: 1, conflict: 2, paths: 2 }
/** `checkout-7` is a run of `checkout`. */
const RUN_NUMBER = /-\d+$/
const MOST_TOLD = 8

/** Value of a lesson for a task. There may be thousands, so hopeless ones are left early. */
function worthOf(lesson: Lesson, wanted: string, claims: Claim[], words: Set<string>): number {
  const { domain, paths, confidence } = lesson
  if (confidence * HERE * ABOUT_IT < WORTH_SAYING) return 0
  const isHere = claims.length > 0 && paths.some((path) => covers(claims, path))
  const field = domain === wanted ? 1 : domain === GENERAL ? 0.8 : isHere ? 0.7 : 0
  const worth = confidence * field * (isHere ? HERE : 1)
  if (worth * ABOUT_IT < WORTH_SAYING || words.size === 0) return worth
  const shared = wordsIn(lesson).filter((word) => words.has(word)).length
  return worth * (1 + (ABOUT_IT - 1) * (Math.min(shared, MANY_WORDS) / MANY_WORDS))
}

/** Words of each lesson, kept because every task asks for them. */
const known = new WeakMap<Lesson, readonly string[]>()

function wordsIn(lesson: Lesson): readonly string[] {
  const found = known.get(lesson) ?? lesson.text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []
  known.set(lesson, found)
  return found
}

/** Factors for a lesson about files of the task, and for one with many words in common. */
const HERE = 1.5
const ABOUT_IT = 1.5
const MANY_WORDS = 4
const FEWEST_TOKENS = 4

/** About four characters make a token, in code and in English. */
function tokensOf(text: string): number {
  return Math.ceil(text.length / 4) + 2
}

/** Smallest value worth a line. */
const WORTH_SAYING = 0.2
