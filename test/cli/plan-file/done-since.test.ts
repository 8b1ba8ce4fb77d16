// An old run that goes on after another one has done the rest of its plan file.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalier, espalierHere } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

type Queue = { features: { id: string; status: string }[] }

const QUEUE = JSON.stringify(
  {
    project: 'shop',
    features: ['a', 'b', 'c', 'd'].map((id) => ({
      id,
      description: id,
      file: `${id}.txt`,
      tests: [],
      status: 'pending',
    })),
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
  writeFileSync(bad, 'b\nc\nd\n')
  await run(1, 'run', 'queue.json')
  await type(0, 'land', 'shop-1')
  writeFileSync(bad, 'c\nd\n')
  await run(1, 'run', 'queue.json')
  await type(0, 'land', 'shop-2')
  assert.match(await type(2, 'retry', '--run', 'shop-1', 'nope'), /has no task nope/)
  const again = await run(1, 'retry', '--run', 'shop-1')
  assert.match(again, /retrying 2 tasks: c, d/, 'b was done by shop-2')
  assert.match(again, /b was dropped: run shop-2 has landed it since/)
  assert.match(again, /- done in the file: b\n/)
  const file = repository.at('repo', 'queue.json')
  const text = readFileSync(file, 'utf8')
  const edited = (edit: (queue: Queue) => void) => {
    const queue = JSON.parse(text) as Queue
    edit(queue)
    writeFileSync(file, JSON.stringify(queue, null, 2))
  }
  edited((queue) => {
    for (const feature of queue.features) if (feature.id !== 'd') feature.status = 'complete'
  })
  const done = await run(1, 'retry', '--run', 'shop-1', '--replan')
  assert.match(done, /- done in the file: c\n/, 'c failed, and somebody else has done it')
  assert.match(done, /c was dropped: it is done in the plan file/)
  edited((queue) => {
    queue.features = queue.features.filter(({ id }) => id !== 'd')
  })
  const dropped = await run(0, 'retry', '--run', 'shop-1', '--replan')
  assert.match(dropped, /- gone: d\n/)
  assert.match(dropped, /d was dropped: it is not in the plan any more/)
  assert.doesNotMatch(dropped, /d started/)
})

const NEEDY = JSON.stringify({
  project: 'shop',
  features: ['y', 'x'].map((id) => ({ id, description: id, file: `${id}.txt`, tests: [], status: 'pending' })),
}).replace('"id":"x",', '"id":"x","depends_on":["y"],')

test('where nothing is left to try again, nobody is sent there, and retry says why', async () => {
  await using repository = await makeRepository({ files: { 'queue.json': NEEDY } })
  const bad = repository.at('bad')
  const type = async (expected: number, ...args: string[]) => {
    const { status, out, err } = await espalierHere(repository.top, args)
    assert.equal(status, expected, out + err)
    return out + err
  }
  const run = (expected: number) => type(expected, 'run', 'queue.json', '--retries', '0', ...AGENT(bad))
  writeFileSync(bad, 'y\n')
  await run(1)
  writeFileSync(bad, 'x\n')
  await run(1)
  const needy = await type(0, 'status', 'shop-1')
  assert.match(needy, /✓ landed by run shop-2 since: y/)
  assert.doesNotMatch(needy, /espalier retry/, 'x needs y, which is on the branch of shop-2')
  const stuck = await type(2, 'retry', '--run', 'shop-1')
  assert.match(
    stuck,
    /x needs y, which is not done here, because run shop-2 has landed it since\. `espalier retry y --run shop-1`/,
  )
  await type(0, 'land', 'shop-2')
  writeFileSync(bad, '')
  await run(0)
  assert.doesNotMatch(await type(0, 'status', 'shop-1'), /espalier retry/)
  const done = await type(2, 'retry', '--run', 'shop-1')
  assert.match(done, /nothing of run shop-1 is left to try again: y landed in run shop-2 since, x in run shop-3\n/)
  assert.match(await type(0, 'land', 'shop-2'), /main already has .*\nLanded by other runs: x \(shop-3\)\n/)
})

test('a failed run whose rest an older one has landed is offered to nobody: neither by resume nor by a new run', async () => {
  const queue = (...ids: string[]) =>
    JSON.stringify({
      project: 'shop',
      features: ids.map((id) => ({ id, description: id, file: `${id}.txt`, tests: [], status: 'pending' })),
    })
  await using repository = await makeRepository({ files: { 'queue.json': queue('a', 'b') } })
  const bad = repository.at('bad')
  const type = async (expected: number, ...args: string[]) => {
    const { status, out, err } = await espalierHere(repository.top, args)
    assert.equal(status, expected, out + err)
    return out + err
  }
  const run = (expected: number, ...args: string[]) => type(expected, ...args, '--retries', '0', ...AGENT(bad))
  writeFileSync(bad, 'a\nb\n')
  await run(1, 'run', 'queue.json')
  writeFileSync(bad, 'b\n')
  await run(1, 'run', 'queue.json')
  assert.match(
    await type(2, 'resume'),
    /The newest, shop-2, has finished \(failed\); `espalier retry --run shop-2` retries/,
  )
  writeFileSync(bad, '')
  await run(0, 'retry', '--run', 'shop-1')
  assert.equal(await type(2, 'resume'), 'there is no run to resume. The newest, shop-2, has finished (failed)\n')
  assert.equal(await type(2, 'resume', 'shop-2'), 'run shop-2 has finished (failed): nothing left to resume\n')
  const file = repository.at('repo', 'queue.json')
  const written = JSON.parse(readFileSync(file, 'utf8')) as Queue
  writeFileSync(file, JSON.stringify({ ...written, features: [...written.features, { id: 'c', description: 'c' }] }))
  const unlanded = await run(2, 'run', 'queue.json')
  assert.match(unlanded, /`espalier land shop-2` brings it onto your branch/)
  assert.doesNotMatch(unlanded, /espalier retry/)
  writeFileSync(file, queue('a', 'b'))
  const again = await run(0, 'run', 'queue.json', '--dry-run')
  assert.match(again, /this run repeats .* which landed in earlier runs \(shop-2, shop-1\)/)
  assert.doesNotMatch(again, /espalier retry/)
})
