// Changes what a JSON text says rather than how it is written: most changes to the text alone only break its syntax.
import { parse } from 'jsonc-parser'
import type { Random } from '../../simulation/random.ts'

/** A text of JSON lines is changed in one of its lines. */
export function mutatedJson(text: string, r: Random): string {
  const lines = text.split('\n')
  if (!/^\{.*\}\r?\n\s*\{/.test(text)) return JSON.stringify(changed(parse(text), r), null, r.pick([0, 2]))
  const at = r.int(lines.length)
  const line = lines[at] ?? ''
  if (line.trim() !== '') lines[at] = JSON.stringify(changed(parse(line), r))
  return lines.join('\n')
}

type Holder = Record<string, unknown> | unknown[]

function changed(root: unknown, r: Random): unknown {
  const holders: Holder[] = []
  collect(root, holders)
  if (holders.length === 0) return strange(r)
  const [one, other] = [r.pick(holders), r.pick(holders)]
  const key = r.pick(Object.keys(one).length > 0 ? Object.keys(one) : ['0'])
  const theirs = r.pick(Object.keys(other).length > 0 ? Object.keys(other) : ['0'])
  // A copy: a value that holds itself cannot be written as JSON.
  const taken: unknown = structuredClone(Reflect.get(other, theirs))
  switch (r.int(6)) {
    case 0:
      Reflect.deleteProperty(one, key)
      return root
    case 1:
      Reflect.set(one, key, taken)
      return root
    case 2:
      Reflect.set(one, Array.isArray(one) ? String(one.length) : theirs, taken)
      return root
    case 3:
      if (Array.isArray(one)) for (let n = r.int(50); n > 0; n--) one.push(structuredClone(one[0] ?? null))
      return root
    case 4:
      if (Array.isArray(one)) one.reverse()
      return root
    default:
      Reflect.set(one, key, strange(r))
      return root
  }
}

function collect(value: unknown, holders: Holder[]): void {
  if (typeof value !== 'object' || value === null) return
  holders.push(value as Holder)
  for (const item of Object.values(value)) collect(item, holders)
}

function strange(r: Random): unknown {
  return r.pick([
    ...[
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e99,
      '',
      ' ',
      'x',
      '1',
      '1.1',
      'done',
      'completed',
      'in_progress',
      'soft',
      'hard',
    ],
    ...[
      [],
      {},
      [[]],
      [null],
      [1, 'a', {}],
      { a: { b: [1] } },
      { id: 1 },
      ['../x'],
      ['/etc/passwd'],
      '$(id)',
      'a\nb',
      '\0',
    ],
    ...[
      'é'.repeat(100),
      '__proto__',
      'constructor',
      [1, 1, 1],
      ['db-cards'],
      [10, 11],
      ['2.2', 2],
      '🎯',
      '--upload-pack',
    ],
  ])
}
