// "Did you mean …?": the known name that is closest to a mistyped one. By hand: libraries for edit distances bound neither
// their time nor the number of names.

/** How many names are compared at most: a plan may have 100,000 of them. */
const MAX_COMPARED = 5_000
const MAX_CHARS = 64

export function nearest(name: string, names: Iterable<string>): string | null {
  if (name.length > MAX_CHARS) return null
  const wanted = name.toLowerCase()
  const allowed = Math.min(3, Math.ceil(name.length / 3))
  let best: string | null = null
  let bestDistance = allowed + 1
  let compared = 0
  for (const candidate of names) {
    if (++compared > MAX_COMPARED) break
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** `; did you mean `x`?`, or nothing. Names the character of a name that only looks the same. */
export function suggestion(name: string, names: Iterable<string>): string {
  const found = nearest(name, names)
  if (found === null || found === name) return ''
  const odd = [...name].find((char) => /[^ -~]/.test(char) && !found.includes(char))
  const code = odd?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return `; did you mean \`${found}\`${code === undefined ? '' : `, without U+${code}`}?`
}

function editDistance(a: string, b: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last?.[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? (beforeLast?.[j - 2] ?? 0) + 1 : replaced
      row.push(Math.min((last?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped))
    }
    beforeLast = last
    last = row
  }
  return last?.[b.length] ?? 0
}
