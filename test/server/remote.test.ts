// `espalier --server`: the command line on a repository of another machine.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalier, type Said } from '../rig/espalier.ts'
import { makeRepository, temporaryFolder } from '../rig/repository.ts'
import { ServerRig } from './server-rig.ts'

test('run, status, logs and cancel from a folder that has nothing of it', async () => {
  await using repository = await makeRepository({ files: { 'there.yaml': "tasks: [{id: there, run: 'true'}]\n" } })
  await using rig = await ServerRig.open({ repository })
  await using elsewhere = await temporaryFolder()
  mkdirSync(elsewhere.at('here'))
  const folder = elsewhere.at('here')
  writeFileSync(`${folder}/token`, rig.token)
  writeFileSync(`${folder}/mine.yaml`, "name: mine\ntasks: [{id: a, run: 'echo hello; echo a > a.txt'}]\n")
  const call = (...args: string[]): Promise<Said> =>
    espalier(folder, ['--server', rig.url, '--token-file', 'token', ...args])

  const none = await call('status')
  assert.deepEqual([none.status, none.err], [2, 'no runs there yet\n'])
  const ran = await call('run', 'mine.yaml')
  assert.equal(ran.status, 0, ran.err)
  assert.match(ran.out, /a started[\s\S]*a landed[\s\S]*run mine-1 completed/)
  const status = await call('status', '--json')
  assert.equal(JSON.parse(status.out).tasks[0].status, 'landed')
  assert.match((await call('status')).out, /mine-1 {2}completed/)
  assert.equal((await call('logs', 'a')).out, 'hello\n')
  const json = await call('run', 'there.yaml', '--json')
  const last = JSON.parse(json.out.trim().split('\n').at(-1) ?? '')
  assert.deepEqual([last.type, last.status], ['run.finished', 'completed'])
  assert.match((await call('status', '--all')).out, /there-1[\s\S]*mine-1/)
  const cancelled = await call('cancel')
  assert.deepEqual([cancelled.status, cancelled.err], [2, 'run there-1 has finished (completed): nothing to cancel\n'])

  const wrong = await espalier(folder, ['--server', rig.url, '--token-file', 'none', 'status'])
  assert.match(wrong.err, /there is no token for it/)
  const gone = await espalier(folder, ['--server', 'http://127.0.0.1:1', '--token-file', 'token', 'status'])
  assert.match(gone.err, /cannot be reached/)
  assert.equal(gone.status, 2)
})
