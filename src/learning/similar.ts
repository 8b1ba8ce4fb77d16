// Similarity of earlier attempts to a task: 1 for identical features.
import type { Experience, Looks } from '../experience.ts'

/** The earlier attempts that say something, with how much. */
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

/** Shared words, of all words of the one that has fewer. */
function overlap(words: ReadonlySet<string>, others: readonly string[]): number {
  if (words.size === 0 || others.length === 0) return 0
  let shared = 0
  for (const word of others) if (words.has(word)) shared++
  return shared / Math.min(words.size, others.length)
}

/** Two tasks whose complexity is this far apart say a third as much about each other. */
const WIDTH = 0.3
const OTHER_DOMAIN = 0.15
const TOO_LITTLE = 0.01
