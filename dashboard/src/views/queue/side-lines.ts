// Which lines of a side are not in what the file was: a longest common subsequence of lines, of files as people merge them.

export type SideLine = { text: string; look: '' | 'insert' | 'delete' | 'marker' }

/** Beyond this many pairs of lines, only what begins and ends alike is told apart. */
const MOST_PAIRS = 4_000_000

export function changedLines(text: string, base: string | null): SideLine[] {
  const lines = linesOf(text)
  if (base === null) return lines.map((line) => ({ text: line, look: 'insert' }))
  const before = linesOf(base)
  const start = commonStart(lines, before)
  const end = commonEnd(lines, before, start)
  const same = commonLines(lines.slice(start, lines.length - end), before.slice(start, before.length - end))
  return lines.map((line, index) => {
    const isSame = index < start || index >= lines.length - end || same.has(index - start)
    return { text: line, look: isSame ? '' : 'insert' }
  })
}

/** A text with the conflict markers of git. */
export function markedLines(text: string): SideLine[] {
  let side: SideLine['look'] = ''
  return linesOf(text).map((line): SideLine => {
    if (line.startsWith('<<<<<<<')) {
      side = 'insert'
      return { text: line, look: 'marker' }
    }
    if (line.startsWith('=======') && side !== '') {
      side = 'delete'
      return { text: line, look: 'marker' }
    }
    if (line.startsWith('>>>>>>>') && side !== '') {
      side = ''
      return { text: line, look: 'marker' }
    }
    return { text: line, look: side }
  })
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function commonStart(a: readonly string[], b: readonly string[]): number {
  let count = 0
  while (count < a.length && count < b.length && a[count] === b[count]) count++
  return count
}

function commonEnd(a: readonly string[], b: readonly string[], start: number): number {
  let count = 0
  while (count < a.length - start && count < b.length - start && a.at(-1 - count) === b.at(-1 - count)) count++
  return count
}

/** Places in `a` of the lines that both have, in the same order. */
function commonLines(a: readonly string[], b: readonly string[]): Set<number> {
  if (a.length * b.length > MOST_PAIRS) return new Set()
  const width = b.length + 1
  const lengths = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? at(lengths, (i + 1) * width + j + 1) + 1
          : Math.max(at(lengths, (i + 1) * width + j), at(lengths, i * width + j + 1))
  const found = new Set<number>()
  for (let i = 0, j = 0; i < a.length && j < b.length; )
    if (a[i] === b[j]) {
      found.add(i++)
      j++
    } else if (at(lengths, (i + 1) * width + j) >= at(lengths, i * width + j + 1)) i++
    else j++
  return found
}

function at(numbers: Uint32Array, index: number): number {
  return numbers[index] ?? 0
}
