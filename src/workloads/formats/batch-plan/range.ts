// Which batches of a plan are to be run: `all`, `2`, `0a`, `1-3`, `1,3-4`.
import { LIMITS } from '../../../config.ts'
import { ok, type Result, refuse } from '../../../problem.ts'
import { shown } from '../../document/field.ts'

/** The ids among `batches` that the range names; each part of it has to name one. */
export function readBatchRange(
  written: string,
  batches: readonly { id: string; number: number }[],
): Result<ReadonlySet<string>> {
  const text = written.trim().toLowerCase()
  if (text === 'all') return ok(new Set(batches.map(({ id }) => id)))
  const chosen = new Set<string>()
  for (const part of text.slice(0, LIMITS.messageChars).split(',')) {
    const [, first = '', last = first] = /^\s*(\d{1,9}[a-z]?)\s*(?:-\s*(\d{1,9}[a-z]?)\s*)?$/.exec(part) ?? []
    if (first === '')
      return refuse(`${shown(written)} does not say which batches: write \`all\`, \`2\`, \`1-3\` or \`1,3-4\``)
    const [from, to] = [Number.parseInt(first, 10), Number.parseInt(last, 10)]
    if (to < from) return refuse(`the batches ${shown(part.trim())} go backwards: write ${last}-${first}`)
    const exact = batches.filter(({ id }) => first === last && id === first)
    const found = exact.length > 0 ? exact : batches.filter(({ number }) => number >= from && number <= to)
    if (found.length === 0) return refuse(`there is no batch ${part.trim()} in this plan: it has ${listed(batches)}`)
    for (const { id } of found) chosen.add(id)
  }
  return ok(chosen)
}

const SHOWN = 20

function listed(batches: readonly { id: string }[]): string {
  const more = batches.length - SHOWN
  const names = batches.slice(0, SHOWN).map(({ id }) => id)
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ')
}
