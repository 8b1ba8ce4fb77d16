// The lessons that go into the prompt of a task: those of its domain, the general ones, and those about files it will
// probably touch; the best first, as many as the space allows.

import type { Lesson } from '../lesson.ts'
import { type Claim, covers, toClaims } from '../scheduler/claims.ts'
import type { Claims } from '../task.ts'
import { GENERAL } from './domain.ts'

export type Wanted = { domain: string; claims: Claims; words: readonly string[]; maxTokens: number }

export function expertiseFor(lessons: Iterable<Lesson>, wanted: Wanted): Lesson[] {
  const claims = toClaims(wanted.claims)
  const words = new Set(wanted.words)
  const ranked: { lesson: Lesson; worth: number }[] = []
  for (const lesson of lessons) {
    const worth = worthOf(lesson, wanted.domain, claims, words)
    if (worth >= WORTH_SAYING) ranked.push({ lesson, worth })
  }
  ranked.sort((a, b) => b.worth - a.worth || (a.lesson.id < b.lesson.id ? -1 : 1))
  const chosen: Lesson[] = []
  let left = wanted.maxTokens
  for (const { lesson } of ranked) {
    if (left < FEWEST_TOKENS) break
    const tokens = tokensOf(lesson.text)
    if (tokens > left) continue
    left -= tokens
    chosen.push(lesson)
  }
  return chosen
}

/** There may be thousands: what cannot be worth a line anyway is not looked at any closer. */
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

/** Whoever keeps lessons in memory asks for the same ones task after task. */
const known = new WeakMap<Lesson, readonly string[]>()

function wordsIn(lesson: Lesson): readonly string[] {
  const found = known.get(lesson) ?? lesson.text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []
  known.set(lesson, found)
  return found
}

/** How much more a lesson is worth that is about files of the task, or has many words in common with it. */
const HERE = 1.5
const ABOUT_IT = 1.5
const MANY_WORDS = 4
const FEWEST_TOKENS = 4

/** About four characters make a token, in code and in English. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4) + 2
}

/** What was seen once, of two files that changed together, is not worth a line yet. */
const WORTH_SAYING = 0.2
