// Changes what a Markdown plan says rather than its letters: sections and lines move, come twice, or name each other.
import type { Random } from '../../simulation/random.ts'
import { mutated } from './fuzz.ts'

export function mutatedMarkdown(text: string, r: Random, pieces: readonly string[]): string {
  const lines = text.split('\n')
  const at = r.int(lines.length)
  const block = lines.slice(at, at + 1 + r.int(12))
  const other = r.int(lines.length + 1)
  const line = lines[at] ?? ''
  switch (r.int(9)) {
    case 0:
      lines.splice(other, 0, ...block)
      break
    case 1:
      lines.splice(at, block.length)
      lines.splice(Math.min(other, lines.length), 0, ...block)
      break
    case 2:
      lines.splice(at, block.length, ...block.map((one) => `${' '.repeat(r.pick([1, 2, 4, 60]))}${one}`))
      break
    case 3:
      lines[at] = r.chance(0.5) ? line.toUpperCase() : line.toLowerCase()
      break
    case 4:
      // Another number of the file: two of the same, something that waits for itself.
      lines[at] = line.replace(/\d+(?:\.\d+)*/, () => r.pick(text.match(/\d+(?:\.\d+)*/g) ?? ['1']))
      break
    case 5:
      lines[at] = line.replace(/^(\s*[\w-]+:)(.*)$/, (_, name: string, value: string) => `${name} ${strange(value, r)}`)
      break
    case 6:
      lines[at] = line.replace(
        /\[(.?)\]/,
        () => `[${r.pick([' ', 'x', 'X', '-', '~', '/', '', '  ', '__proto__', ']'])}]`,
      )
      break
    case 7:
      lines[at] = line.replace(/^(\s*)(?:[-*+]|#+|\d+\.)/, (_, indent: string) => `${indent}${r.pick(MARKERS)}`)
      break
    default:
      return mutated(text, r, pieces)
  }
  return lines.join('\n')
}

const MARKERS = ['-', '*', '+', '1.', '2)', '#', '######', '#######', '>', '- -', '|', '']

/** A value of a field as YAML could have it. */
function strange(value: string, r: Random): string {
  const values = [
    '',
    '~',
    'true',
    '"true"',
    '[]',
    '{}',
    '[[]]',
    '[1, [2]]',
    '1e999',
    '-1',
    '0x1F',
    '2025-01-01',
    '|',
    '&a [*a]',
  ]
  return r.pick([
    ...values,
    `"${value.trim()}"`,
    `[${value}, ${value}]`,
    '__proto__',
    '!!binary aGk=',
    'a: b',
    '- x',
    '#',
    '"',
  ])
}
