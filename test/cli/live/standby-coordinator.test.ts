// A second coordinator on one machine, without Postgres: the lock of the state folder is what it waits for.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { espalier, said, startEspalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'

test('a standby takes over from a coordinator that was killed, and adopts its agents', async () => {
  await using repository = await makeRepository({
    files: {
      'plan.yaml': `name: shop
agent: command
command: 'echo x >> ../../started-$ESPALIER_TASK; while [ ! -e ../../go ]; do sleep 0.1; done; echo done > $ESPALIER_TASK.txt'
tasks: [{ id: a, prompt: do a }, { id: b, prompt: do b, needs: [a] }]
`,
    },
  })
  const first = startEspalier(repository.top, ['run', '--quiet', 'plan.yaml'])
  const hasBegun = () => repository.git('ls-remote', '.', 'refs/heads/espalier/shop-1') !== ''
  await until('the run has begun', hasBegun)
  const second = startEspalier(repository.top, ['run', '--standby', 'plan.yaml'])
  let heard = ''
  second.stderr.on('data', (chunk) => {
    heard += String(chunk)
  })
  const result = said(second)
  await until('it stands by', () => heard.includes(`standing by: process ${first.pid} leads`))
  const gone = once(first, 'exit')
  first.kill('SIGKILL')
  await gone
  await until('it takes over', () => heard.includes('taking over run shop-1'))
  await repository.write('../repo.espalier/go', '')
  const { status, out } = await result
  assert.equal(status, 0, out + heard)
  assert.match(out, /2\/2 done/)
})

test('a standby ends with the result of a run that another has finished', async () => {
  await using repository = await makeRepository({
    files: {
      'plan.yaml':
        'name: shop\ntasks: [{ id: a, run: "while [ ! -e ../../go ]; do sleep 0.1; done; exit 1", retries: 0 }]\n',
    },
  })
  const first = startEspalier(repository.top, ['run', '--quiet', 'plan.yaml'])
  await until('the run has begun', () => repository.git('ls-remote', '.', 'refs/heads/espalier/shop-1') !== '')
  const second = startEspalier(repository.top, ['resume', '--standby'])
  let heard = ''
  second.stderr.on('data', (chunk) => {
    heard += String(chunk)
  })
  const result = said(second)
  await until('it stands by', () => heard.includes('standing by'))
  await repository.write('../repo.espalier/go', '')
  assert.equal((await said(first)).status, 1)
  assert.equal((await result).status, 1)
  assert.match(heard, /run shop-1 has finished \(failed\): nothing to take over/)
  const again = await espalier(repository.top, ['status', '--json'])
  assert.match(again.out, /"status":"failed"/)
})
