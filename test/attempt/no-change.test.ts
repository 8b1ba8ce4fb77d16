// An agent that changes nothing has succeeded only where something shows that this is right.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { TaskDraft } from '../rig/plan.ts'
import { Rig } from '../rig/rig.ts'

const SAYS = 'echo "I cannot help with that."'
const CASES: { name: string; command: string; task?: Partial<TaskDraft>; status: string; attempts?: number }[] = [
  {
    name: 'a refusal',
    command: `${SAYS}; echo '{"type":"outcome","summary":"I will not do this."}'`,
    status: 'failed',
  },
  { name: 'an empty answer, which is tried again', command: 'true', status: 'failed', attempts: 2 },
  { name: 'where the plan allows it', command: SAYS, task: { allowNoChange: true }, status: 'passed' },
  { name: 'where a check passes', command: SAYS, task: { verify: ['true'] }, status: 'passed' },
  { name: 'a report that is not to land', command: SAYS, task: { land: false }, status: 'passed' },
  { name: 'a report that says nothing', command: 'true', task: { land: false }, status: 'failed', attempts: 2 },
  { name: 'a shell command', command: SAYS, task: { run: 'true' }, status: 'passed' },
]

suite('nothing was changed', { concurrency: 3 }, () => {
  for (const { name, command, task = {}, status, attempts = 1 } of CASES)
    test(`${name}: ${status}`, async () => {
      await using rig = await Rig.open()
      const work = task.run ? {} : { prompt: 'Write a.txt.' }
      const tasks = [
        { id: 'a', ...work, retries: 1, ...task },
        { id: 'next', needs: ['a'], run: 'echo b > b.txt' },
      ]
      const { outcome, ...run } = await rig.run(tasks, { command, backoff: { initialMs: 1, maxMs: 1 } })
      const [a, next] = outcome.counts.failed > 0 ? ['failed', 'blocked'] : ['passed', 'landed']
      assert.deepEqual([a, next], status === 'failed' ? ['failed', 'blocked'] : ['passed', 'landed'])
      const ended = run.events.filter((event) => event.type === 'attempt.finished' && event.task === 'a')
      assert.equal(ended.length, attempts)
      for (const event of ended) assert.equal(event.type === 'attempt.finished' && event.outcome, 'no-change')
      const [failure] = outcome.failures
      if (status === 'failed') assert.deepEqual([failure?.task, failure?.failure.reason], ['a', 'no-change'])
      if (status === 'failed') assert.match(failure?.failure.message ?? '', /allowNoChange: true/)
    })
})
