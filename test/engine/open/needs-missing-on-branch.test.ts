import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lackingNeeds } from '../../../src/engine/open/take-over-changed-plan.ts'
import { Core, planOf } from '../../scheduler/plan-rig.ts'

const ofFile = (tasks: string[]) =>
  tasks.map((task) => ({ path: '/plan.md', task, source: task.toUpperCase(), status: '', says: '' }))

/** A run of a, b needs a, c needs b; its file has called `z` done since before it, and calls these done by now. */
function taking(done: string[], { again = null as string[] | null, noted = true } = {}) {
  const plan = planOf({ id: 'a' }, { id: 'b', needs: ['a'] }, { id: 'c', needs: ['b'] })
  const core = new Core(plan)
  const open = ofFile(['a', 'b', 'c'])
  const kept = { format: 'spec-kit', part: null, open, ...(noted ? { done: ofFile(['z']) } : {}) }
  const origin = { format: 'spec-kit', part: null, open, done: ofFile(done) }
  const said = (needs: Record<string, string[]>, since: Record<string, string> = {}) => {
    const doneNeeds = new Map(Object.entries(needs))
    const others = new Map(Object.entries(since))
    const taken = { run: 'tea-1', origin, doneNeeds, since: others, again, plans: [plan], kept }
    return lackingNeeds(core.state, taken).map(({ message }) => message)
  }
  return { core, said }
}

test('what the run was to do itself and somebody else did is not on its branch', () => {
  const { core, said } = taking(['b'])
  const [only = '', ...others] = said({ c: ['b'] })
  assert.deepEqual(others, [])
  assert.match(only, /^`B` is done by the plan file, but not by run tea-1: .* not on \S+, and `C` needs it\n/)
  assert.match(only, /\n {2}a new run of the plan file .*\n {2}`espalier resume tea-1` without --replan/)
  assert.match(said({ c: ['b'], new: ['b'] }).join(), /and `C` and 1 more need it/)
  const [byOther = ''] = said({ c: ['b'] }, { b: 'tea-2' })
  assert.match(byOther, /but by run tea-2 and not by tea-1: /)
  assert.doesNotMatch(byOther, /espalier resume/, 'the run would leave it out all the same')
  core.succeed('a')
  assert.match(said({ c: ['b'] }).join(), /\n {2}`espalier land tea-1`, then a new run/)
  core.succeed('b')
  assert.deepEqual(said({ c: ['b'] }), [], 'the run has landed it')
})

test('what was done when the run began is, and what is only gone from the file is not asked for', () => {
  const { said } = taking(['z', 'late'])
  assert.deepEqual(said({ c: ['z'], new: ['z'] }), [])
  assert.match(said({ new: ['late'] }).join(), /^`LATE` is done .* and `new` needs it\n/, 'added since, and done')
  assert.deepEqual(said({ c: ['gone'] }), [])
})

test('of an older run only its plan tells what was done before', () => {
  const { said } = taking(['b', 'z'], { noted: false })
  assert.equal(said({ c: ['b'] }).length, 1)
  assert.deepEqual(said({ c: ['z'] }), [])
})

test('only tasks that are going to be done count', () => {
  const failed = (again: string[] | null) => {
    const { core, said } = taking(['b'], { again })
    core.succeed('a').fail('b')
    assert.equal(core.statuses().c, 'blocked')
    return said({ c: ['b'] })
  }
  assert.deepEqual(failed([]), [])
  assert.match(failed(['b', 'c']).join(), /`espalier retry --run tea-1` without --replan/)
})
