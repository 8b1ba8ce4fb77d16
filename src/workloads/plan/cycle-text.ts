// A circle of tasks in a message: `a → b → a`, never longer than a person reads.

import { cut } from '../../text/cut.ts'
import { safeLine } from '../../text/safe.ts'

export function ring(names: readonly string[]): string {
  return chain([...names, names[0] ?? ''])
}

const SHOWN = 12
const NAME_CHARS = 60

export function chain(names: readonly string[]): string {
  if (names.length <= SHOWN) return names.map(plain).join(' → ')
  const left = names.length - SHOWN + 2
  const [first, last] = [names.slice(0, SHOWN - 4), names.slice(-2)]
  return [...first.map(plain), `… ${left} more …`, ...last.map(plain)].join(' → ')
}

/** Names of other formats are whatever somebody wrote. */
function plain(name: string): string {
  return cut(safeLine(name), NAME_CHARS)
}
