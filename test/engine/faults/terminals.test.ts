// Two terminals at once on a run whose engine was killed: whatever the order, one of them has it, the other one says
// so, and nothing is done twice.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { readRun } from '../../../src/index.ts'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { said, startEspalier } from '../../rig/espalier.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

/** A run with one puppet at work and nobody who looks after it. */
async function orphaned(rig: Rig) {
  await using engine = new DoomedEngine(rig.top, rig.plan([{ id: 'a' }]), makeSettings())
  const puppet = await rig.stage.next('a')
  await engine.kill()
  return puppet
}

function terminal(t: TestContext, rig: Rig, ...args: string[]) {
  const child = startEspalier(rig.top, args)
  t.after(() => child.kill('SIGKILL'))
  return { child, said: said(child) }
}

test('three terminals resume at once: exactly one has the run, the others name its process', async (t) => {
  await using rig = await Rig.open()
  const puppet = await orphaned(rig)
  const terminals = [1, 2, 3].map(() => terminal(t, rig, 'resume', 'plan-1'))
  const over = () => terminals.filter(({ child }) => child.exitCode !== null)
  await until('two of them were refused', () => over().length === 2)
  const [winner] = terminals.filter(({ child }) => child.exitCode === null)
  for (const refused of over()) {
    const { status, err } = await refused.said
    assert.equal(status, 2, err)
    assert.match(err, new RegExp(`another espalier is working on this repository \\(process ${winner?.child.pid}\\)`))
  }
  await puppet.deliver('a.txt')
  assert.equal((await winner?.said)?.status, 0)
  assert.deepEqual(rig.landings({ branch: 'espalier/plan-1', base: 'main' }), ['a/1'])
  assert.equal(rig.stage.all.length, 1)
})

for (const round of [1, 2, 3, 4])
  test(`one terminal cancels and one resumes at once: the run is cancelled and nothing of it goes on (${round})`, async (t) => {
    await using rig = await Rig.open()
    const puppet = await orphaned(rig)
    const order = round % 2 === 0 ? ['cancel', 'resume'] : ['resume', 'cancel']
    const terminals = order.map((command) => terminal(t, rig, command))
    const answers = await Promise.all(terminals.map((one) => one.said))
    const [cancelled, resumed] = [answers[order.indexOf('cancel')], answers[order.indexOf('resume')]]
    assert.equal(cancelled?.status, 0, cancelled?.err)
    assert.match(cancelled?.out ?? '', /^(cancelling|cancelled) run plan-1/)
    // It had the run and saw it cancelled, or somebody else had it, or it was over already.
    const isRefused = /another espalier is working|nothing left to resume|no run to resume/.test(resumed?.err ?? '')
    assert.equal(resumed?.status, isRefused ? 2 : 1, `${resumed?.out}${resumed?.err}`)
    for (const { err } of answers) assert.doesNotMatch(err, /unexpected|\.ts:\d/)
    await puppet.gone()
    const view = await readRun(await workspaceAt(rig.top))
    assert.ok(view.ok && view.value)
    assert.deepEqual([view.value.status, view.value.tasks[0]?.status], ['cancelled', 'cancelled'])
  })

test('two terminals cancel at once: both say that it is done or being done', async (t) => {
  await using rig = await Rig.open()
  const puppet = await orphaned(rig)
  const answers = await Promise.all([1, 2].map(() => terminal(t, rig, 'cancel').said))
  for (const { status, out, err } of answers) {
    // The slower one may find that there is nothing left to cancel.
    if (status === 0) assert.match(out, /^(cancelling|cancelled) run plan-1|^run plan-1 (is being|was) cancelled/)
    else assert.match(err, /run plan-1 has finished \(cancelled\)/)
  }
  assert.ok(answers.some(({ status }) => status === 0))
  await puppet.gone()
})
