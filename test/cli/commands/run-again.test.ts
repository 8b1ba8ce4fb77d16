// `run` over an interrupted run of the same plan, what it says of uncommitted changes, and what --replan takes over.
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { InWorkspace } from '../../../src/cli/inputs/repository.ts'
import { resumeOrNew } from '../../../src/cli/inputs/resume-or-new.ts'
import { inspectBeforeRun } from '../../../src/index.ts'
import { espalierHere, said, startEspalier } from '../../rig/espalier.ts'
import { makePlan, makeSettings } from '../../rig/plan.ts'
import { makeRepository } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'
import { FakeTerminal } from '../fake-terminal.ts'

test('run asks before it starts anew what was interrupted, and refuses where nobody can be asked', async () => {
  await using repository = await makeRepository()
  const [file, go] = [repository.at('plan.yaml'), repository.at('go')]
  const plan = `
name: shop
budgetUsd: 5
tasks:
  - {id: first, run: echo 1 > first.txt}
  - {id: second, needs: [first], run: "[ -e '${go}' ] || sleep 600"}
`
  writeFileSync(file, plan)
  const here = (...args: string[]) => espalierHere(repository.top, args)
  const interrupted = startEspalier(repository.top, ['run', file])
  const ended = said(interrupted)
  await until('the second task runs', async () => (await here('status')).out.includes('● second'))
  interrupted.kill('SIGINT')
  assert.equal((await ended).status, 130)
  writeFileSync(go, '')

  const refused = await here('run', file)
  assert.equal(refused.status, 2)
  assert.match(
    refused.err,
    /run shop-1 of this plan was interrupted, with 1 of 2 tasks done: `espalier resume shop-1` continues it, `espalier run --new` /,
  )
  const workspace = await workspaceAt(repository.top)
  const answered = async (answer: string) => {
    const [input, err] = [new PassThrough(), new FakeTerminal(100)]
    input.end(answer)
    const asked = { input, err: err.output, repeat: '' } as unknown as InWorkspace
    const plan = makePlan([{ id: 'first' }])
    const before = await inspectBeforeRun(workspace, { plan, planFile: file, settings: makeSettings() })
    assert.equal(before.resumable?.run, 'shop-1')
    const chosen = await resumeOrNew(before.resumable, asked)
    return chosen.ok && chosen.value
  }
  assert.equal(await answered('\n'), 'resume')
  assert.equal(await answered('new\n'), 'new')
  assert.equal(await answered('what\nN\n'), 'new', 'it is asked again')
  assert.equal(await answered('a\nb\nd\n'), 'cancel', 'no answer is none')
  assert.equal(await answered(''), 'cancel')

  const fresh = await here('run', file, '--new')
  assert.equal(fresh.status, 0, fresh.err)
  assert.match(fresh.out, /\nshop-2 /)
  assert.equal((await here('run', file)).status, 0, 'the last one is complete')

  writeFileSync(file, plan.replace('budgetUsd: 5', 'budgetUsd: 9\nmaxConcurrency: 7'))
  const replanned = await here('resume', 'shop-1', '--replan')
  assert.equal(replanned.status, 0, replanned.err)
  assert.match(replanned.err, /\n {2}~ budgetUsd: 5 → 9\n {2}~ maxConcurrency: none → 7\nplan changes applied\n/)
  const { budgets, slots } = JSON.parse((await here('status', 'shop-1', '--json')).out)
  assert.deepEqual([budgets.budgetUsd, slots], [9, 7])
})

test('a flag of the beginning is not overruled by a plan that says what it always said', async () => {
  await using repository = await makeRepository()
  const file = repository.at('plan.yaml')
  const go = repository.at('go')
  const plan = `name: shop\nmaxConcurrency: 2\ntasks: [{id: a, run: "[ -e '${go}' ] || sleep 600"}]\n`
  writeFileSync(file, plan)
  const engine = startEspalier(repository.top, ['run', file, '-j', '5'])
  const ended = said(engine)
  const here = (...args: string[]) => espalierHere(repository.top, args)
  await until('it runs', async () => (await here('status')).out.includes('● a'))
  engine.kill('SIGINT')
  await ended
  writeFileSync(go, '')
  writeFileSync(file, plan.replace(']\n', ', {id: b, run: "true"}]\n'))
  const replanned = await here('resume', '--replan')
  assert.equal(replanned.status, 0, replanned.err)
  assert.doesNotMatch(replanned.err, /maxConcurrency/)
  assert.equal(JSON.parse((await here('status', '--json')).out).slots, 5)
})

test('uncommitted changes are mentioned, but for those of the plan file and of files git does not know', async () => {
  await using repository = await makeRepository({
    files: { 'src/a.ts': 'a\n', 'plan.yaml': 'tasks: [{id: a, run: "true"}]\n' },
  })
  const run = async () => (await espalierHere(repository.top, ['run', 'plan.yaml'])).err
  appendFileSync(repository.at('repo/plan.yaml'), '# more\n')
  writeFileSync(repository.at('repo/new.txt'), '')
  assert.doesNotMatch(await run(), /uncommitted/)
  appendFileSync(repository.at('repo/src/a.ts'), 'b\n')
  assert.match(await run(), /warning: 1 file has uncommitted changes, which the run does not see: src\/a\.ts\n/)
  assert.ok(existsSync(repository.at('repo/new.txt')))
})
