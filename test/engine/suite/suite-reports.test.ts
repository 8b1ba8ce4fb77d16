// What a suite tells: its status while it runs, and its reports for people, with whatever its entries print.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { SuiteStatus } from '../../../src/engine/suite/report-of-suite-run.ts'
import type { Answer } from '../../../src/server/resources/routes.ts'
import { espalierHere, startEspalier } from '../../rig/espalier.ts'
import { answerIn, recordedIn } from '../../rig/recorded-page.ts'
import { makeRepository } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'

test('suite status --json says what each worker is doing, and when its worktree was made and used', async () => {
  await using repository = await makeRepository()
  const go = repository.at('go')
  await repository.write(
    'suite.yaml',
    `workers: 1\nretries: 0\nentries: [{id: waits, timeout: 2m, run: 'until test -e ${go}; do sleep 0.05; done'}, {id: next, run: "true"}]\n`,
  )
  const engine = startEspalier(repository.top, ['suite', 'run', '--json'])
  engine.stdout?.resume()
  engine.stderr?.resume()
  const ended = once(engine, 'exit')
  await using _ = { [Symbol.asyncDispose]: async () => void engine.kill() }
  const look = async () => {
    const { out } = await espalierHere(repository.top, ['suite', 'status', '--json'])
    return out === '' ? null : JSON.parse(out)
  }
  const busy = await until('an entry is at work', async () => {
    const status = await look()
    return status?.workers[0]?.state === 'busy' && status.workers[0].lastUsedAt !== null ? status : null
  })
  const [worker] = busy.workers
  assert.deepEqual([worker.worker, worker.state, worker.entry], [1, 'busy', 'waits'])
  assert.ok(existsSync(worker.worktree))
  assert.ok(worker.createdAt > 0 && worker.lastUsedAt >= worker.createdAt - 1_000)
  await writeFile(go, '')
  assert.deepEqual(await ended, [0, null])
  const { workers } = await look()
  assert.deepEqual([workers.length, workers[0].state, workers[0].entry], [1, 'free', null])
})

test('Markdown and HTML have every part, and nothing that an entry prints gets out of its place', async () => {
  const hostile = '<script>alert(1)</script> ``` | **bold** [link](javascript:x)'
  await using repository = await makeRepository()
  const bad = { id: 'bad', run: `printf '%s\\n' '${hostile}'; exit 1` }
  await repository.write(
    'suite.yaml',
    `workers: 2\nretries: 1\nentries:\n  - ${JSON.stringify(bad)}\n  - {id: flaky, run: 'test "$ESPALIER_ATTEMPT" = 2'}\n  - {id: fine, run: 'true', matrix: {node: [20, 22]}}\n`,
  )
  const run = ['suite', 'run', '--markdown', 'r.md', '--html', 'r.html']
  const { status } = await espalierHere(repository.top, run)
  assert.equal(status, 1)
  const markdown = readFileSync(join(repository.top, 'r.md'), 'utf8')
  for (const part of ['# Failed:', '## Failed', '### bad', '## Flaky', '## Entries', '## Slowest', 'By hand:'])
    assert.ok(markdown.includes(part), part)
  const fence = /^(`{3,}).*\n[\s\S]*?alert\(1\)[\s\S]*?\n\1$/m.exec(markdown)
  assert.ok(fence && (fence[1] ?? '').length > 3, 'its output is in a fence that it cannot end')
  const page = readFileSync(join(repository.top, 'r.html'), 'utf8')
  assert.doesNotMatch(page, /<script>alert|(src|href)="https?:/, 'what an entry prints is data, and nothing is loaded')
  const { kind, start } = recordedIn(page)
  assert.deepEqual([kind, start], ['suite', '/repo/-/suites'])
  const { report } = answerIn<SuiteStatus>(page, '/suites/repo-suite-1')
  assert.deepEqual(
    report.entries.map(({ id, verdict }) => `${id} ${verdict}`),
    ['bad failed', 'flaky flaky', 'fine-20 passed', 'fine-22 passed'],
  )
  assert.equal(report.entries[0]?.output.trim(), hostile)
  assert.deepEqual(report.matrix?.axes, ['node'])
  const changes = answerIn<Answer<'runs.changes'>>(page, '/runs/repo-suite-1/changes')
  assert.equal(changes.run.engine, null, 'no engine works on it any more')
})

test('a suite with a failed entry is done with all of them, in `status` as well, and says what to type next', async () => {
  await using repository = await makeRepository()
  await repository.write(
    'suite.yaml',
    'name: checks\nretries: 0\nentries: [{id: good, run: "true"}, {id: bad, run: "false"}]\n',
  )
  const told = await espalierHere(repository.top, ['suite', 'run'])
  assert.equal(told.status, 1, told.err)
  const commands = ['logs bad --run', 'open bad --run', 'retry --run', 'report'].map(
    (word) => `espalier ${word} checks-1`,
  )
  const inOrder = new RegExp(`\\nnext  ${commands.join('[\\s\\S]*\\n {6}')} --html`)
  assert.match(told.out, inOrder)
  const status = await espalierHere(repository.top, ['suite', 'status'])
  assert.match(status.out, /^Suite checks-1: failed, 2 of 2 done\n/)
  assert.match(status.out, inOrder)
  assert.equal((await espalierHere(repository.top, ['status'])).out, status.out)
})
