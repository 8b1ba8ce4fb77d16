// Work that the landing queue sent away, as a person meets it: the log, the lines of the run, status and report.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

/** `c` prints nothing itself; with it on the branch the check fails and prints more than one line. */
const PLAN = `
name: shop
defaults: { retries: 0 }
landing: { verify: ['true', 'test ! -f c.txt || { echo first line; echo "  c is not welcome"; exit 7; }'], reruns: 0 }
tasks:
  - { id: a, run: "echo a > a.txt" }
  - { id: c, needs: [a], run: "echo c > c.txt" }
`

test('what the verification printed is in the log, and everywhere else its first line or its end', async () => {
  await using repository = await makeRepository()
  const file = repository.at('plan.yaml')
  await writeFile(file, PLAN)
  const said = (...args: string[]) => espalier(repository.top, args)
  const run = await said('run', file)
  assert.equal(run.status, 1, run.out + run.err)

  const log = (await said('logs', 'c')).out
  assert.match(
    log,
    /^── verification \d+ of [0-9a-f]{8} ──\n── verify: true ──\n── verify: test .* ──\nfirst line\n {2}c is not welcome\n$/,
  )
  assert.equal((await said('logs', 'c', '--follow')).out, log)
  assert.doesNotMatch((await said('logs', 'a')).out, /verification/)

  const status = await said('status')
  for (const { out } of [run, status]) {
    assert.match(out, /✗ c: landing-failed: `test .*` exited with status 7\n {4}first line\n {6}c is not welcome\n/)
    assert.equal(out.split('  c is not welcome\n').length, 2, 'once')
    assert.match(out, /^next {2}espalier logs c --run shop-1 .*\n(.*\n)*.*espalier land shop-1 /m)
  }
  assert.match(run.out, /c did not land: landing-failed: .* exited with status 7$/m)
  const { out: markdown } = await said('report')
  assert.match(markdown, /landing-failed after 1 attempt: .*exited with status 7\n\n```text\nfirst line\n {2}c is not/)
  assert.match(markdown, /`c` was ejected: .*exited with status 7$/m)

  const view = JSON.parse((await said('status', '--json')).out)
  assert.deepEqual([view.engine, 'enginePid' in view], [null, false], 'nobody works on it')
})
