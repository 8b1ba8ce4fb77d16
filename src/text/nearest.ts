// "Did you mean …?": the known name that is closest to a mistyped one. By hand: libraries for edit distances bound neither
// their time nor the number of names.

/** How many names are compared at most: a plan may have 100,000 of them. */
const MAX_COMPARED = 5_000
/** Longer names are not compared. */
const MAX_CHARS = 64

/** The closest of the names, or null where none is close enough. */
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
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** `; did you mean `x`?`, or nothing. */
export function suggestion(name: string, names: Iterable<string>): string {
  const found = nearest(name, names)
  return found === null ? '' : `; did you mean \`${found}\`?`
}

/** Insertions, deletions, replacements and swaps of neighbours; only what stays below `limit` is exact. */
function editDistance(a: string, b: string, limit: number): number {
  let beforeLast = new Uint8Array(b.length + 1)
  let last = Uint8Array.from({ length: b.length + 1 }, (_, j) => j)
  let row = new Uint8Array(b.length + 1)
  for (let i = 1; i <= a.length; i++) {
    row.fill(limit)
    row[0] = i
    let smallest = i
    // Further from the diagonal than the limit nothing can be below it.
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let cost = Math.min(cell(last, j) + 1, cell(row, j - 1) + 1, cell(last, j - 1) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) cost = Math.min(cost, cell(beforeLast, j - 2) + 1)
      row[j] = cost
      if (cost < smallest) smallest = cost
    }
    if (smallest >= limit) return limit
    const free = beforeLast
    beforeLast = last
    last = row
    row = free
  }
  return cell(last, b.length)
}

function cell(row: Uint8Array, index: number): number {
  return row[index] ?? 0
}
