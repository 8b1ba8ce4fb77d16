import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flaggedLines } from '../../../src/cli/status/attention-lines.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import { taskOf } from '../../reports/sample.ts'

const flagged = (...paths: string[]) => ({ flagged: { paths, count: paths.length } })

test('in the terminal: who changed what somebody should look at, unless it failed', () => {
  const failure = { reason: 'verify-failed' as const, message: 'npm test' }
  const tasks = [
    taskOf({ id: 'ci', history: [flagged('.github/ci.yml', '\x1b[31m.gitignore')] }),
    taskOf({ id: 'bad', history: [{ ...flagged('.envrc'), failure }] }),
    taskOf({ id: 'good', history: [flagged('.envrc'), {}] }),
  ]
  const lines = flaggedLines({ tasks }, 100, palette(false))
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /^! ci changed what other programs run or obey, look at it: \.github\/ci\.yml, /)
  assert.ok(!lines.join('').includes('\x1b'))
  const many = Array.from({ length: 9 }, (_, n) => taskOf({ id: `t${n}`, history: [flagged('.envrc')] }))
  assert.match(flaggedLines({ tasks: many }, 100, palette(false)).at(-1) ?? '', /… and 4 more; `espalier report`/)
})
