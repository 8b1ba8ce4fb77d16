import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summaryLines } from '../../../src/cli/status/summary.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import type { AttemptView } from '../../../src/view.ts'
import { BASE, HEAD, sampleRun as runOf, sampleTask } from '../sample-run.ts'

/** At its end: no engine works on it any more. */
function sampleRun(tasks: Parameters<typeof runOf>[0], more: Parameters<typeof runOf>[1] = {}) {
  return runOf(tasks, { engine: null, resumable: false, ...more })
}

const options = {
  width: 110,
  palette: palette(false),
  repeat: '',
  cwd: '/',
  landedOn: null,
  doneInFile: new Set<string>(),
  landedSince: new Map<string, string>(),
  unchanged: [],
}
const blockedBy = (cause: string) => ({
  failure: { reason: 'need-failed', message: `${cause} failed`, cause } as const,
})

test('all landed: what, where, and how to get it', () => {
  const view = sampleRun([sampleTask('schema', 'landed'), sampleTask('check', 'passed')], {
    status: 'completed',
    durationMs: 61_000,
  })
  assert.deepEqual(summaryLines(view, options).slice(1), [
    'checkout-7  completed  branch espalier/checkout-7',
    '━━━━━━━━━━━━━━━━━━━━━━━━━━━  2/2 done  1m 01s',
    '✓ landed: schema',
    '✓ passed: check',
    '',
    'next  espalier land checkout-7           bring espalier/checkout-7 (a1b2c3d4) onto your branch',
    '      espalier report checkout-7 --html  full HTML report',
  ])
})

test('what landed fills a few lines at most, and says how many it leaves out', () => {
  const ids = Array.from({ length: 40 }, (_, n) => `task-${n}`)
  const view = sampleRun(ids.map((id) => sampleTask(id, 'landed')))
  const lines = summaryLines(view, { ...options, width: 60 })
  const from = lines.findIndex((line) => line.startsWith('✓ landed: '))
  const told = lines.slice(from, lines.indexOf('', from))
  const text = told.map((line) => line.slice(2)).join(' ')
  assert.match(text, /^landed: task-0, .*task-\d+ and \d+ more$/)
  assert.equal((text.match(/task-/g)?.length ?? 0) + Number(text.match(/(\d+) more/)?.[1]), 40)
  assert.ok(told.length <= 3 && told.every((line) => line.length <= 60))
  const all = summaryLines(view, { ...options, width: Number.POSITIVE_INFINITY })
  assert.ok(all.includes(`✓ landed: ${ids.join(', ')}`))
})

test('a task that passed without the changes it claims is told of', () => {
  const view = sampleRun([sampleTask('login', 'passed')], { status: 'completed' })
  const unchanged = [{ task: 'login', paths: ['src/login.js'], count: 1 }]
  const line = '! login passed without changes, although it claims src/login.js'
  assert.ok(summaryLines(view, { ...options, unchanged }).includes(line))
  const many = Array.from({ length: 7 }, (_, at) => ({ task: `t${at}`, paths: ['src'], count: 1 }))
  const lines = summaryLines(view, { ...options, unchanged: many })
  assert.equal(lines.filter((text) => text.startsWith('!')).length, 5)
  assert.ok(lines.includes('  … and 2 more'))
})

test('once a branch has it, that is said instead of how to get it', () => {
  const view = sampleRun([sampleTask('schema', 'landed')], { status: 'completed' })
  const lines = summaryLines(view, { ...options, landedOn: 'main' })
  assert.ok(lines.includes('✓ landed on main (a1b2c3d4)'))
  assert.ok(!lines.some((line) => line.includes('espalier land')))
})

test('what another run has landed since is said, and trying again is offered only where something is left for it', () => {
  const dropped = { failure: { reason: 'dropped', message: 'it is done in the plan file' } } as const
  const [a, b] = [sampleTask('a', 'failed'), sampleTask('b', 'blocked', { ...blockedBy('a'), needs: ['a'] })]
  const linesOf = (tasks: Parameters<typeof sampleRun>[0], landedSince = new Map<string, string>()) =>
    summaryLines(sampleRun(tasks, { status: 'failed', resumable: false }), { ...options, landedSince })
  const isOffered = (lines: string[]) => lines.some((line) => line.includes('espalier retry'))
  const since = linesOf([a, b], new Map([['a', 'shop-2']]))
  assert.ok(since.includes('✓ landed by run shop-2 since: a'))
  assert.ok(!isOffered(since), 'b lacks a, which is not done here')
  assert.ok(isOffered(linesOf([a, b])))
  assert.ok(isOffered(linesOf([a, b, sampleTask('c', 'failed')], new Map([['a', 'shop-2']]))), 'c is left')
  const gone = linesOf([sampleTask('a', 'cancelled', dropped), b])
  assert.ok(gone.includes('– left out: a (it is done in the plan file)'))
  assert.ok(!isOffered(gone))
})

test('failures come with their reason, what they block, and where to look', () => {
  const failure = { reason: 'verify-failed', message: 'npm test exited with 1' } as const
  const view = sampleRun(
    [
      sampleTask('client', 'failed', { failure }),
      sampleTask('site', 'blocked', blockedBy('client')),
      sampleTask('docs', 'blocked', blockedBy('client')),
    ],
    { status: 'failed' },
  )
  const lines = summaryLines(view, options)
  assert.ok(lines.includes('✗ client: verify-failed: npm test exited with 1'))
  assert.ok(lines.includes('■ blocked by client: site, docs'))
  assert.ok(lines.some((line) => line.includes('espalier logs client --run checkout-7')))
  assert.ok(!lines.some((line) => line.includes('espalier land')), 'there is nothing to land')
})

test('of a command that failed: its line, then the end of what it printed, once and as it was laid out', () => {
  const printed = Array.from({ length: 9 }, (_, at) => `  line ${at}`).join('\n\n')
  const failure = { reason: 'landing-failed', message: `\`npm test\` exited with status 1:\n${printed}` } as const
  const view = sampleRun([sampleTask('client', 'failed', { failure })], { status: 'failed' })
  const lines = summaryLines(view, options)
  const at = lines.indexOf('✗ client: landing-failed: `npm test` exited with status 1')
  assert.deepEqual(lines.slice(at + 1, at + 8), [...[3, 4, 5, 6, 7, 8].map((number) => `      line ${number}`), ''])
})

test('an interrupted run says how to go on, with the flags it was started with', () => {
  const view = sampleRun([sampleTask('schema', 'landed'), sampleTask('client', 'pending')], { resumable: true })
  const lines = summaryLines(view, { ...options, repeat: ' --repo ../shop' })
  assert.match(
    lines.find((line) => line.startsWith('next')) ?? '',
    /^next {2}espalier resume checkout-7 --repo \.\.\/shop/,
  )
})

const attempt: AttemptView = {
  ...{ attempt: 2, worker: 'local', slot: 1, base: BASE, startedAt: 0, finishedAt: 1, outcome: 'failed', commit: HEAD },
  ...{ failure: { reason: 'timeout', message: 'ended' }, diff: null, usage: null, summary: null },
}

test('work that did not land is named, so that git shows it', () => {
  const kept = { ...attempt, attempt: 1, outcome: 'changed', failure: null } satisfies AttemptView
  const view = sampleRun([
    sampleTask('client', 'failed', { history: [attempt] }),
    sampleTask('audit', 'passed', { history: [kept] }),
    sampleTask('check', 'passed', { history: [{ ...kept, commit: null }] }),
    sampleTask('schema', 'landed', { history: [attempt, kept] }),
  ])
  const shown = (repeat: string) =>
    summaryLines(view, { ...options, width: 200, repeat })
      .filter((line) => line.includes('git '))
      .map((line) => line.trim())
  assert.deepEqual(shown(''), [
    'git show refs/espalier/checkout-7/failed/client/2  work of client, which did not land',
    'git show refs/espalier/checkout-7/kept/audit/1     work of audit, kept without landing (land: false)',
  ])
  assert.match(shown(' --repo ../shop')[0] ?? '', /^git -C \/repo show refs/)
})

test('a long failure is told in full: broken between words in a terminal, in one line off it', () => {
  const message = `the tests ${'failed again and '.repeat(20)}gave up`
  const view = sampleRun([sampleTask('client', 'failed', { failure: { reason: 'verify-failed', message } })])
  const [narrow, wide] = [60, Number.POSITIVE_INFINITY].map((width) => summaryLines(view, { ...options, width }))
  assert.ok(narrow && wide)
  assert.ok(wide.includes(`✗ client: verify-failed: ${message}`))
  assert.ok(narrow.every((line) => line.length <= 60))
  assert.match(narrow.join(' ').replace(/\s+/g, ' '), new RegExp(message))
})

test('what waits for a person comes first, with what to type', () => {
  const failure = { reason: 'conflict', message: 'in db.sql' } as const
  const tasks = [sampleTask('schema', 'landed'), sampleTask('client', 'conflict', { failure })]
  const lines = summaryLines(sampleRun(tasks, { status: 'waiting' }), options)
  assert.ok(lines.includes('! client: conflict: in db.sql'))
  assert.match(lines[lines.lastIndexOf('') + 1] ?? '', /^next {2}espalier resolve client --run checkout-7/)
})

test('hundreds of failures do not flood the terminal', () => {
  const failure = { reason: 'timeout', message: 'ended' } as const
  const tasks = Array.from({ length: 300 }, (_, index) => sampleTask(`t${index}`, 'failed', { failure }))
  const lines = summaryLines(sampleRun(tasks, { status: 'failed' }), options)
  assert.ok(lines.length < 40)
  assert.ok(lines.includes('  … and 280 more failed'))
})

test('in a narrow terminal the explanations stand below the commands, which are never cut', () => {
  const view = sampleRun([sampleTask('schema', 'landed')], { status: 'completed' })
  const lines = summaryLines(view, { ...options, width: 45 })
  assert.deepEqual(lines.slice(lines.lastIndexOf('') + 1), [
    'next  espalier land checkout-7',
    '        bring espalier/checkout-7 (a1b2c3d4)…',
    '      espalier report checkout-7 --html',
    '        full HTML report',
  ])
  assert.ok(lines.every((line) => line.length <= 46))
})
