// Real files with something wrong in them: whatever it is, a reader gives a plan or says where the trouble is, soon. And
// what it makes of them can be written down as Espalier's own plan, which is then the same plan.
// `FUZZ=10000` tries that many cases a format.

import assert from 'node:assert/strict'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { formatProblem, type Problem } from '../../../src/problem.ts'
import { type ReadPlan, readPlan, readPlanFiles } from '../../../src/workloads/plan/read.ts'
import { planText } from '../../../src/workloads/plan/text.ts'
import { openSource, type PlanFile } from '../../../src/workloads/plan/translate-format.ts'
import { quickest } from '../../rig/processor-time.ts'
import { WHOLE } from '../../rig/sampled.ts'
import { type Random, random } from '../../simulation/random.ts'

const CASES = Number(process.env.FUZZ ?? (WHOLE ? 200 : 50))

/** Whoever waits longer for an answer takes it for a hang. */
const SOON_MS = 1_000

/** How many of the cases were read as plans: a fuzzer that only ever breaks files proves little. */
export type Fuzzed = { cases: number; read: number; slowestMs: number }

/** `pieces`: what to put into the files besides what they hold. `change`: another way to change one of them. */
export function fuzz(
  format: string,
  files: readonly PlanFile[],
  name: string,
  pieces: readonly string[],
  change: (text: string, r: Random, pieces: readonly string[]) => string = mutated,
): Fuzzed {
  const fuzzed: Fuzzed = { cases: CASES, read: 0, slowestMs: 0 }
  for (let seed = 1; seed <= CASES; seed++) {
    const r = random(seed)
    const broken = files.map((file) => ({ ...file }))
    for (let n = 1 + r.int(4); n > 0; n--) {
      const file = r.pick(broken)
      file.text = change(file.text, r, pieces)
    }
    const options = r.chance(0.8) ? { format } : {}
    const read = () => readPlanFiles(broken, name, DEFAULT_SETTINGS, options)
    const { result, tookMs } = quickest(SOON_MS, read)
    fuzzed.slowestMs = Math.max(fuzzed.slowestMs, tookMs)
    assert.ok(tookMs < SOON_MS, `seed ${seed} took ${tookMs.toFixed(0)} ms each time`)
    if (!result.ok) {
      assert.ok(result.problems.length > 0, `seed ${seed}: refused without a word`)
      for (const problem of result.problems) assertPlace(problem, broken, seed)
      continue
    }
    fuzzed.read++
    for (const { place } of [...result.value.source.assumed, ...result.value.source.ignored])
      assert.ok(place.line >= 1 && place.column >= 1, `seed ${seed}`)
    if (result.value.plan.tasks.length > 0) assertReadBack(result.value, seed % 20 === 0 ? 'yaml' : 'json')
  }
  return fuzzed
}

function assertPlace(problem: Problem, files: readonly PlanFile[], seed: number): void {
  if (/^… and /.test(problem.message) || /^there is no plan in it|^these are \d+ plans/.test(problem.message)) return
  const said = `seed ${seed}: ${formatProblem(problem)}`
  const text = files.find(({ file }) => file === problem.file)?.text ?? files[0]?.text ?? ''
  const lines = text.replace(/^\ufeff/, '').split('\n')
  assert.ok(problem.line !== null && problem.line >= 1 && problem.line <= lines.length, said)
  const length = lines[problem.line - 1]?.length ?? 0
  assert.ok(problem.column !== null && problem.column >= 1 && problem.column <= length + 1, said)
}

/** What `plan convert` prints, read again, is the same plan. */
export function assertReadBack({ source, plan }: ReadPlan, as: 'json' | 'yaml'): void {
  const converted = planText(source, as)
  assert.ok(converted.ok, converted.ok ? '' : converted.problems.map(formatProblem).join('\n'))
  const text = converted.value
  const own = openSource([{ file: `plan.${as}`, text }], `plan.${as}`, {})
  assert.ok(own.ok && own.value.format === 'espalier', JSON.stringify(own))
  const again = readPlan(text, `plan.${as}`, DEFAULT_SETTINGS)
  assert.ok(again.ok, again.ok ? '' : again.problems.map(formatProblem).join('\n'))
  assert.deepEqual(again.value.plan.tasks, plan.tasks)
  assert.deepEqual(again.value.plan.epics, plan.epics)
}

export function mutated(text: string, r: Random, pieces: readonly string[]): string {
  const at = r.int(text.length + 1)
  const to = Math.min(text.length, at + r.int(r.chance(0.2) ? 400 : 20))
  const piece = r.pick([...pieces, ...PIECES])
  switch (r.int(10)) {
    case 0:
      return text.slice(0, at) + text.slice(to)
    case 1:
      return text.slice(0, to) + text.slice(at, to) + text.slice(to)
    case 2:
      return text.slice(0, at) + piece + text.slice(at)
    case 3:
      return text.slice(0, at) + piece + text.slice(to)
    case 4:
      return text.slice(0, at) + text.slice(at, to).repeat(r.int(200)) + text.slice(to)
    case 5:
      return text.slice(0, at)
    case 6:
      return withLines(text, (lines) => void lines.splice(r.int(lines.length), 0, r.pick(lines)))
    case 7:
      return withLines(text, (lines) => void lines.splice(r.int(lines.length), 1 + r.int(3)))
    case 8:
      return withLines(text, (lines) => void lines.splice(r.int(lines.length), 0, piece))
    default:
      return r.chance(0.5)
        ? text.replaceAll('\n', '\r\n')
        : text.replace(/\d/g, (digit) => (r.chance(0.1) ? String(r.int(10)) : digit))
  }
}

function withLines(text: string, change: (lines: string[]) => void): string {
  const lines = text.split('\n')
  change(lines)
  return lines.join('\n')
}

const PIECES = [
  ...[
    '',
    ' ',
    '\n',
    '\t',
    '\0',
    '\ufeff',
    '\u2028',
    'é',
    '🎯',
    '"',
    "'",
    '`',
    '```',
    '~~~',
    '---\n',
    '...\n',
    '#',
    '- ',
    '* ',
  ],
  ...[
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '(',
    ')',
    ':',
    ',',
    '&a',
    '*a',
    '!!binary x',
    '|',
    '\\',
    '/',
    '..',
    '../',
    '/etc/passwd',
    '~/x',
  ],
  ...[
    'null',
    'true',
    '0',
    '-1',
    '1e99',
    '99999999999999999999',
    'NaN',
    '__proto__',
    'constructor',
    '\\u0000',
    '\r',
    '%',
    '$(id)',
  ],
]
