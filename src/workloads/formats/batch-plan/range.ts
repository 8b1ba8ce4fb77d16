// Which batches of a plan are to be run: `all`, `2`, `1-3`, `1,3-4`.
import { LIMITS } from '../../../config.ts'
import { ok, type Result, refuse } from '../../../problem.ts'
import { shown } from '../../document/field.ts'

/** The numbers among `batches` that the range names; each part of it has to name one. */
export function readBatchRange(written: string, batches: readonly number[]): Result<Set<number>> {
  const text = written.trim().toLowerCase()
  if (text === 'all') return ok(new Set(batches))
  const chosen = new Set<number>()
  for (const part of text.slice(0, LIMITS.messageChars).split(',')) {
    const match = /^\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?$/.exec(part)
    if (!match)
      return refuse(`${shown(written)} does not say which batches: write \`all\`, \`2\`, \`1-3\` or \`1,3-4\``)
    const first = Number(match[1])
    const last = Number(match[2] ?? match[1])
    if (last < first) return refuse(`the batches ${shown(part.trim())} go backwards: write ${last}-${first}`)
    const found = batches.filter((number) => number >= first && number <= last)
    if (found.length === 0) return refuse(`there is no batch ${part.trim()} in this plan: it has ${listed(batches)}`)
    for (const number of found) chosen.add(number)
  }
  return ok(chosen)
}

const SHOWN = 20

function listed(numbers: readonly number[]): string {
  const more = numbers.length - SHOWN
  return more > 0 ? `${numbers.slice(0, SHOWN).join(', ')} and ${more} more` : numbers.join(', ')
}
