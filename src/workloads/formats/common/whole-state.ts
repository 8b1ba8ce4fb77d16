// What a phase or an epic says of all that is in it: that it is done, or not to be done.
import { shown } from '../../field.ts'
import type { Entry } from '../format.ts'
import type { JsonReader } from '../json/json-reader.ts'
import type { Item } from '../json/json-values.ts'

/** `whole`: what the whole says; `own`: what the part says, if `isSaid`. Whoever says it of the whole may not have written it at each part. */
export function stateWithin(whole: Entry['state'], own: Entry['state'], isSaid: boolean): Entry['state'] {
  if (own !== 'open') return own
  if (whole === 'skipped') return 'skipped'
  return whole === 'done' && !isSaid ? 'done' : 'open'
}

/** `left`: how many of its parts were to be done by themselves; `open`: how many are all the same. */
export type Whole = { item: Item; what: string; part: string; name: string; left: number; open: number }

export function tellOfWhole(reader: JsonReader, state: Entry['state'], { item, left, open, ...names }: Whole): void {
  if (state === 'open' || left === 0) return
  const { what, part, name } = names
  const path = [...item.path, 'status']
  const is = `${what} ${shown(name)} is ${shown(reader.prose(item, 'status'))}`
  const parts = (count: number): string => (count === 1 ? `1 ${part}` : `${count} ${part}s`)
  if (state === 'skipped') reader.assume(path, `${is}: left out, with ${parts(left)} that would be to do`)
  else if (open === 0)
    reader.assume(path, `${is}: ${parts(left)} without a status ${left === 1 ? 'counts' : 'count'} as done`)
  else
    reader.warn(
      path,
      `${is}, but ${parts(open)} in it ${open === 1 ? 'says' : 'say'} something else: ${open === 1 ? 'it is' : 'they are'} run`,
    )
}
