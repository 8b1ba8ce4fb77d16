// A list of names in the fields at the top of a file: `[001, 002]`, `001`, `"001, 002"`, or nothing.
import { kindOf } from '../../field.ts'
import type { Place } from '../../place.ts'
import type { FrontMatter } from './front-matter.ts'
import type { MarkdownPlan } from './markdown-plan.ts'

export type FrontName = { text: string; place: Place }

export type FrontLists = { plan: MarkdownPlan; placeOf: (place: Place) => Place }

export function frontNames({ fields, locate }: FrontMatter, name: string, { plan, placeOf }: FrontLists): FrontName[] {
  const value = fields[name]
  if (value === undefined || value === null) return []
  const list = Array.isArray(value) ? value : [value]
  const places = locate(list.map((_, i) => ({ path: Array.isArray(value) ? [name, i] : [name], at: 'value' as const })))
  return list.flatMap((one: unknown, i): FrontName[] => {
    const place = placeOf(places[i] ?? { line: 1, column: 1 })
    if (typeof one === 'number') return [{ text: String(one), place }]
    if (one === null) return []
    if (typeof one === 'string')
      return one
        .split(',')
        .map((text) => text.trim())
        .filter((text) => text !== '' && text.toLowerCase() !== 'none')
        .map((text) => ({ text, place }))
    plan.error(place, `\`${name}\` must hold names, not ${kindOf(one)}`)
    return []
  })
}
