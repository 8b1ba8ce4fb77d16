// Control characters have no place in a text file; the first one tells a binary file from a plan.
import type { Path } from './place.ts'

export function controlCharacter(text: string): { offset: number; message: string } | null {
  const offset = text.search(/[^\P{Cc}\t\n\r\u0080-\u009f]/u)
  if (offset === -1) return null
  const code = text.charCodeAt(offset)
  const name = code === 0 ? 'a NUL character' : `the control character ${code.toString(16).padStart(2, '0')} (hex)`
  return { offset, message: `this holds ${name}: is it a text file?` }
}

/** Whether a text that was read as UTF-8 is UTF-16: with a byte order mark or without, in either order of bytes. */
export function isUtf16(text: string): boolean {
  return /^(?:\uFFFD\uFFFD)?(?:[^\0]\0[^\0]\0|\0[^\0]\0[^\0])/.test(text)
}

/** Places of texts in the value that hold NUL (written as an escape): no program can be given one. */
export function pathsOfNul(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return value.includes('\0') ? [path] : []
  if (Array.isArray(value)) return value.flatMap((item, i) => pathsOfNul(item, [...path, i]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => [
    ...(name.includes('\0') ? [path] : []),
    ...pathsOfNul(item, [...path, name]),
  ])
}
