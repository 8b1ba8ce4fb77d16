import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { diagnose, gitCheck, nodeCheck } from '../../src/engine/doctor.ts'

test('an old Node is a warning with what to do', () => {
  assert.deepEqual(nodeCheck('24.1.0'), { name: 'node', state: 'ok', message: 'Node 24.1.0' })
  assert.equal(nodeCheck('22.13.0').state, 'ok')
  const { state, message, fix } = nodeCheck('22.12.9')
  assert.equal(state, 'warn')
  assert.match(message, /^Node 22\.12\.9 is older/)
  assert.equal(fix, 'install Node 22.13 or newer')
})

test('git is checked with its version', () => {
  assert.deepEqual(gitCheck('git version 2.39.5 (Apple Git-154)'), { name: 'git', state: 'ok', message: 'git 2.39.5' })
  assert.equal(gitCheck('git version 2.38.0').state, 'ok')
  assert.equal(gitCheck('git version 3.0').state, 'ok')
  assert.equal(gitCheck('git version 2.37.7').state, 'fail')
  assert.equal(gitCheck('git version').state, 'fail')
  assert.match(gitCheck(null).fix ?? '', /install git 2\.38/)
})

test('node and git come first, whatever the folder is', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-doctor-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const installed = execFileSync('git', ['version'], { encoding: 'utf8' }).trim().replace('git version ', '')
  const [node, git, ...rest] = await diagnose({ repo: folder })
  assert.equal(node?.name, 'node')
  assert.equal(git?.name, 'git')
  assert.equal(git?.message, `git ${installed.split(' ')[0]}`)
  assert.deepEqual(
    rest.map(({ name, state }) => `${name} ${state}`),
    ['repository fail'],
  )
})
