// Which run a command is about when nobody names one: the one at work, however old it is.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalierHere, said, startEspalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'

test('the run at work is meant, not the newest, and the command says so', async () => {
  await using repository = await makeRepository()
  const plan = (name: string, command: string) => {
    writeFileSync(
      repository.at(`${name}.yaml`),
      `name: ${name}\ntasks: [{id: ${name}-task, run: "${command}", land: false}]\n`,
    )
    return repository.at(`${name}.yaml`)
  }
  const here = (...args: string[]) => espalierHere(repository.top, args)
  const isRunning = async () => (await here('status', 'old-1')).out.includes('● old-task')

  const interrupted = startEspalier(repository.top, ['run', plan('old', 'echo hello; sleep 600')])
  const first = said(interrupted)
  await until('it runs', isRunning)
  interrupted.kill('SIGINT')
  assert.equal((await first).status, 130)
  assert.equal((await here('run', plan('new', 'true'))).status, 0)
  assert.match((await here('status')).out, /^new-1 /, 'without an engine the newest')

  const resumed = said(startEspalier(repository.top, ['resume', 'old-1']))
  await until('it runs again', isRunning)
  assert.match((await here('status')).out, /^old-1 /)
  const logs = await until('it has printed something', async () => {
    const now = await here('logs', 'old-task')
    return now.out !== '' && now
  })
  assert.deepEqual([logs.out, logs.err], ['hello\n', 'run old-1 (running)\n'])
  assert.equal((await here('logs', 'old-task', '--run', 'old-1')).err, '')
  const traced = await here('trace', 'old-task')
  assert.equal(traced.err, 'run old-1 (running)\n')
  assert.match((await here('report')).out, /old-1/)
  assert.match((await here('cancel')).out, /^cancelling run old-1: /)
  assert.equal((await resumed).status, 1)
})
