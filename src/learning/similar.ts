// Similarity of earlier attempts to a task: 1 for identical features.
import type { Experience, Looks } from '../learning-records.ts'

/** Earlier attempts that are similar enough, with their weights. */
export function similarTo(task: Looks, past: readonly Experience[]): { weight: number; one: Experience }[] {
  const words = new Set(task.words)
  const found: { weight: number; one: Experience }[] = []
  for (const one of past) {
    const apart = (task.complexity - one.complexity) / WIDTH
    const atMost = Math.exp(-apart * apart) * (task.domain === one.domain ? 1 : OTHER_DOMAIN)
    if (atMost <= TOO_LITTLE) continue
    const weight = atMost * overlap(words, one.words) ** 2
    if (weight > TOO_LITTLE) found.push({ weight, one })
  }
  return found
}

/** Shared words as a share of the shorter list. */
function overlap(words: ReadonlySet<string>, others: readonly string[]): number {
  if (words.size === 0 || others.length === 0) return 0
  let shared = 0
  for (const word of others) if (words.has(word)) shared++
  return shared / Math.min(words.size, others.length)
}

/** At this distance in complexity, two tasks count a third as much for each other. */
const WIDTH = 0.3
const OTHER_DOMAIN = 0.15
const TOO_LITTLE = 0.01
