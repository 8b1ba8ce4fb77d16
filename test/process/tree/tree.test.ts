// What is near the tree of an attempt and no part of it: whoever ends the tree must leave that alone.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { processIdentity } from '../../../src/process/tree/identity.ts'
import { findTree, signal, type Tree } from '../../../src/process/tree/tree.ts'
import { until } from '../../rig/until.ts'
import { rig } from '../rig.ts'

test('what shares the session of this process with one that carries the token', async (t) => {
  const { token } = rig(t)
  const { carrier, bystander } = await startBoth(t, token, { detached: false }).numbers()
  const found = await treeWith(carrier, { token, dir: '', supervisor: null })
  assert.ok(!found.includes(bystander))
})

test('what shares a session from before the attempt with one that carries the token', async (t) => {
  const { token, sh, dir } = rig(t)
  const both = startBoth(t, token, { detached: true })
  await until('a later start time', () => Date.now() > both.startedAt + START_TIME_MS)
  const supervised = sh('exec sleep 100000')
  const { carrier, bystander } = await both.numbers()
  const supervisor = processIdentity(await supervised.pid)
  assert.ok(supervisor)
  const found = await treeWith(carrier, { token, dir, supervisor })
  assert.ok(!found.includes(bystander))
})

/** Its numbers, once this one is among them. */
function treeWith(carrier: number, tree: Tree): Promise<number[]> {
  return until('the one with the token', () => {
    const found = findTree(tree).map(({ pid }) => pid)
    return found.includes(carrier) && found
  })
}

/** Start times are in steps of at most that. */
const START_TIME_MS = 50

/** A shell which, when it is asked for their numbers, starts two processes of which only the first has the token. */
function startBoth(t: TestContext, token: string, { detached }: { detached: boolean }) {
  const script = 'read go; ESPALIER_TOKEN=$1 sleep 100000 & echo $!; sleep 100000 & echo $!; wait'
  const shell = spawn('sh', ['-c', script, 'sh', token], { detached, stdio: ['pipe', 'pipe', 'ignore'] })
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]()
  const started = [shell.pid ?? 0]
  const next = async () => {
    const pid = Number((await lines.next()).value)
    started.push(pid)
    return pid
  }
  const numbers = async () => {
    shell.stdin.write('go\n')
    return { carrier: await next(), bystander: await next() }
  }
  t.after(() => started.map(processIdentity).forEach((one) => void (one && signal(one, 'SIGKILL'))))
  return { startedAt: Date.now(), numbers }
}
