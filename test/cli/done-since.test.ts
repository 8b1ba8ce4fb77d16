// An old run that goes on after another one has done the rest of its plan file.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalier } from '../rig/espalier.ts'
import { makeRepository } from '../rig/repository.ts'

const QUEUE = JSON.stringify(
  {
    project: 'shop',
    features: ['a', 'b', 'c'].map((id) => ({ id, description: id, file: `${id}.txt`, tests: [], status: 'pending' })),
  },
  null,
  2,
)
/** Each task writes its name; what the file `bad` names fails. */
const AGENT = (bad: string) => [
  '--command',
  `grep -qx "$ESPALIER_TASK" '${bad}' && exit 3; echo done >"$ESPALIER_TASK.txt"`,
]

test('is not done again: retry refuses, and what is dropped from the plan fails no run', async () => {
  await using repository = await makeRepository({ files: { 'queue.json': QUEUE } })
  const bad = repository.at('bad')
  const type = async (expected: number, ...args: string[]) => {
    const { status, out, err } = await espalier(repository.top, args)
    assert.equal(status, expected, out + err)
    return out + err
  }
  const run = (expected: number, ...args: string[]) => type(expected, ...args, '--retries', '0', ...AGENT(bad))
  writeFileSync(bad, 'b\nc\n')
  await run(1, 'run', 'queue.json')
  await type(0, 'land', 'shop-1')
  writeFileSync(bad, 'c\n')
  await run(1, 'run', 'queue.json')
  await type(0, 'land', 'shop-2')
  assert.match(await type(2, 'retry', '--run', 'shop-1', 'nope'), /has no task nope/)
  const again = await run(1, 'retry', '--run', 'shop-1')
  assert.match(again, /1 task to try again: c/, 'b was done by shop-2')
  const file = repository.at('repo', 'queue.json')
  const without = JSON.parse(readFileSync(file, 'utf8')) as { features: { id: string }[] }
  without.features = without.features.filter(({ id }) => id !== 'c')
  writeFileSync(file, JSON.stringify(without, null, 2))
  const dropped = await run(1, 'retry', '--run', 'shop-1', '--replan')
  assert.match(dropped, /c is not done: it is not in the plan any more/)
  assert.doesNotMatch(dropped, /c started/)
})
