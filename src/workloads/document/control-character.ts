// Control characters have no place in a text file; the first one tells a binary file from a plan.

export function controlCharacter(text: string): { offset: number; message: string } | null {
  for (let offset = 0; offset < text.length; offset++) {
    const code = text.charCodeAt(offset)
    if (code >= 0x20 && code !== 0x7f) continue
    if (code === 0x09 || code === 0x0a || code === 0x0d) continue
    const name = code === 0 ? 'a NUL character' : `the control character ${code.toString(16).padStart(2, '0')} (hex)`
    return { offset, message: `this holds ${name}: is it a text file?` }
  }
  return null
}

/** Of a text that was read as UTF-8: with a byte order mark or without, in either order of bytes. */
export function isUtf16(text: string): boolean {
  return /^(?:\uFFFD\uFFFD)?(?:[^\0]\0[^\0]\0|\0[^\0]\0[^\0])/.test(text)
}

/** Where a text in the value holds NUL (written as an escape): no program can be given one. */
export function pathsOfNul(value: unknown): (string | number)[][] {
  const found: (string | number)[][] = []
  const open: { value: unknown; path: (string | number)[] }[] = [{ value, path: [] }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next
    if (typeof value === 'string' && value.includes('\0')) found.push(path)
    else if (Array.isArray(value))
      for (const [i, item] of value.entries()) open.push({ value: item, path: [...path, i] })
    else if (typeof value === 'object' && value !== null)
      for (const [name, item] of Object.entries(value)) {
        if (name.includes('\0')) found.push(path)
        open.push({ value: item, path: [...path, name] })
      }
  }
  return found
}
