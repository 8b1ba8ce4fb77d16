// Where there are several runs, or a plan beside them, and what is asked for is in another one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

const FILES = {
  'big.yaml': 'name: big\ntasks:\n  - {id: pay, prompt: Pay.}\n',
  'wide.yaml': 'name: wide\ntasks:\n  - {id: ship, run: exit 1, retries: 0}\n',
  'espalier.yaml': 'tasks:\n  - {id: other, prompt: x}\n',
}

test('what another run has is said with its name, and after a failed run how to try again', async () => {
  await using repository = await makeRepository({ files: FILES })
  const said = (...args: string[]) => espalier(repository.top, args)
  assert.equal((await said('run', 'big.yaml', '--command', 'cat > pay.txt')).status, 0)
  const done = await said('resume')
  assert.deepEqual(
    [done.status, done.err],
    [2, 'there is no run to resume. The newest, big-1, has finished (completed)\n'],
  )
  assert.equal((await said('run', 'wide.yaml')).status, 1)

  const elsewhere = 'run wide-1 has no task pay, but run big-1 has it: say so with `--run big-1`\n'
  for (const command of ['logs', 'trace', 'cancel']) {
    const { status, err } = await said(command, 'pay')
    assert.deepEqual([command, status, err], [command, 2, elsewhere])
    assert.match((await said(command, 'nowhere')).err, /^run wide-1 has no task nowhere/)
  }
  assert.equal((await said('trace', 'pay', '--run', 'big-1')).status, 0)

  const prompt = await said('prompt', 'pay')
  const hint = 'Run big-1 has it: `espalier prompt pay --run big-1`'
  assert.deepEqual([prompt.status, prompt.err], [2, `espalier.yaml has no task pay; it has other. ${hint}\n`])
  assert.match((await said('prompt', 'pay', '--run', 'big-1')).out, /^Pay\./)

  const resumed = await said('resume')
  const retry = '`espalier retry --run wide-1` retries what did not succeed'
  const newest = `there is no run to resume. The newest, wide-1, has finished (failed); ${retry}\n`
  assert.deepEqual([resumed.status, resumed.err], [2, newest])
})
