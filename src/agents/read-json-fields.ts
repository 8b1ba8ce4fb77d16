// Lines of a protocol that others define and change: unexpected values count as missing.
import { parsedJson } from '../text/json.ts'

export type Json = { readonly [key: string]: unknown }

/** Null: no JSON object. Programs print other things besides. */
export function jsonLine(text: string): Json | null {
  return text.startsWith('{') ? objectAt(parsedJson(text)) : null
}

export function objectAt(value: unknown, ...path: string[]): Json | null {
  let current: unknown = value
  for (const key of path) current = isObject(current) ? current[key] : undefined
  return isObject(current) ? current : null
}

export function textAt(value: unknown, ...path: string[]): string | null {
  const current = valueAt(value, path)
  return typeof current === 'string' ? current : null
}

/** A missing count is 0. */
export function countAt(value: unknown, ...path: string[]): number {
  const current = valueAt(value, path)
  return typeof current === 'number' && Number.isFinite(current) && current > 0 ? current : 0
}

export function listAt(value: unknown, ...path: string[]): readonly unknown[] {
  const current = valueAt(value, path)
  return Array.isArray(current) ? current : []
}

function valueAt(value: unknown, path: string[]): unknown {
  const last = path.at(-1)
  const parent = objectAt(value, ...path.slice(0, -1))
  return last === undefined ? value : parent?.[last]
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
