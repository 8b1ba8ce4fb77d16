// The example of a suite, as its README says: a failing entry, a flaky one, one in quarantine and a plan.
import assert from 'node:assert/strict'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../docs/pages.ts'
import { espalierHere } from '../rig/espalier.ts'
import { makeRepository } from '../rig/repository.ts'

test('the example of a suite ends as its README says', async () => {
  await using repository = await makeRepository()
  await cp(join(ROOT, 'examples/suite'), repository.top, { recursive: true })
  repository.git('add', '-A')
  repository.git('commit', '-qm', 'a project with tests')
  const args = ['suite', 'run', '--json', '--command', 'echo done >> one.txt']
  const { status, out, err } = await espalierHere(repository.top, args)
  assert.equal(status, 1, err)
  const { entries } = JSON.parse(out) as { entries: { id: string; verdict: string; artifacts: string[] }[] }
  assert.deepEqual(Object.fromEntries(entries.map(({ id, verdict }) => [id, verdict])), {
    ...{ unit: 'passed', server: 'passed', flaky: 'flaky', broken: 'failed', clock: 'failed', plan: 'passed' },
  })
  assert.deepEqual(entries[3]?.artifacts, ['broken/2/artifacts/out/result.txt'])
  const history = await espalierHere(repository.top, ['suite', 'history', 'flaky'])
  assert.match(history.out, /^flaky: flaky, fails 50% of the time/)
})
