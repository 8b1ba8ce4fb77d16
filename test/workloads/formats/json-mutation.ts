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
  switch (r.int(11)) {
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
    case 5:
      Reflect.set(one, key, inOtherType(Reflect.get(one, key), r))
      return root
    case 6:
      // A second record, whose id differs only in case, or not at all.
      if (Array.isArray(one)) one.push(inOtherCase(structuredClone(r.pick(one.length > 0 ? one : [null])), r))
      return root
    case 7:
      Reflect.set(one, key, nested(taken, r))
      return root
    case 8:
      // As JSON text has it: a field of its own, not the prototype.
      if (!Array.isArray(one))
        Object.defineProperty(one, r.pick(PROTOTYPE_NAMES), { value: taken, enumerable: true, configurable: true })
      return root
    case 9:
      // Names something of the file, which may be itself or wait for it.
      Reflect.set(one, r.pick(REFERENCES), [r.pick(idsIn(holders)), r.pick(idsIn(holders))])
      return root
    default:
      Reflect.set(one, key, strange(r))
      return root
  }
}

const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length']

const REFERENCES = [
  ...['depends_on', 'dependencies', 'dependency_type', 'epic_id', 'depends_on_id', 'parentId', 'subtasks'],
  ...['blocked_by', 'needs', 'dependsOn', 'blocks'],
]

function inOtherType(value: unknown, r: Random): unknown {
  const text = JSON.stringify(value) ?? ''
  const others: unknown[] = [[value], { value }, text, Number.parseInt(text, 10), Boolean(value), null, `"${text}"`]
  return r.pick(others)
}

function inOtherCase(record: unknown, r: Random): unknown {
  if (typeof record !== 'object' || record === null || !('id' in record)) return record
  const id = typeof record.id === 'string' ? record.id : JSON.stringify(record.id)
  return { ...record, id: r.pick([id.toUpperCase(), id.toLowerCase(), id, ` ${id}`, `${id}-2`, id.replace('-', '.')]) }
}

/** So deep that whoever goes down by calling itself comes to an end. */
function nested(value: unknown, r: Random): unknown {
  let inside = value
  for (let depth = r.pick([3, 50, 400]); depth > 0; depth--)
    inside = r.chance(0.5) ? [inside] : { id: depth, tasks: inside }
  return inside
}

function idsIn(holders: readonly Holder[]): unknown[] {
  const ids = holders.flatMap((holder) => ('id' in holder ? [holder.id] : []))
  return ids.length > 0 ? ids : [1]
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
      1e308,
      2 ** 53,
      -0,
      Number.MIN_VALUE,
      '9'.repeat(30),
      '-1',
      'true',
      'yes',
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
