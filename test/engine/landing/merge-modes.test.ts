// `landing.merge` and `landing.signoff` in whole runs: with an epic that lands as one, and with verification.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanState } from '../../../src/engine/upkeep/clean.ts'
import { landRun } from '../../../src/index.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const shared = { epic: 'e', isolation: 'epic' } as const

/** Two commits of an agent, and a rest that it did not commit. */
const commits = (id: string) =>
  `git config user.name Bot; git config user.email bot@example.com
   for n in 1 2; do echo ${id} > ${id}-$n.txt; git add -A; git commit -qm "${id} $n"; done
   echo ${id} > ${id}-rest.txt`

const EXPECTED = {
  regular: ['Test Person|Land alone: do alone|alone/1', 'Test Person|Land one: do one and 1 more|one two/1 1'],
  squash: ['Bot|do alone|alone/1', 'Bot|do one and 1 more|one two/1 1'],
  rebase: [
    'Bot|alone 1|/',
    'Bot|alone 2|/',
    'Test Person|do alone|alone/1',
    'Bot|one 1|/',
    'Bot|one 2|/',
    'Test Person|do one|/',
    'Bot|two 1|/',
    'Bot|two 2|/',
    'Test Person|do two|one two/1 1',
  ],
}

for (const merge of ['regular', 'squash', 'rebase'] as const) {
  test(`${merge}: an epic lands together, verified, and next to another task`, async () => {
    await using rig = await Rig.open()
    rig.git('config', 'format.signOff', 'true')
    const verify = ['! test -e one-rest.txt || test -e two-rest.txt']
    const run = await rig.run(
      [
        { id: 'alone', run: commits('alone') },
        { id: 'one', run: commits('one'), ...shared, needs: ['alone'] },
        { id: 'two', run: commits('two'), ...shared },
      ],
      { landing: { merge, verify } },
    )
    assert.deepEqual(run.statuses(), { alone: 'landed', one: 'landed', two: 'landed' })
    const { outcome } = run
    const format =
      '--format=%an|%s|%(trailers:key=Espalier-Task,valueonly,separator=%x20)/%(trailers:key=Espalier-Attempt,valueonly,separator=%x20)'
    const range = ['--first-parent', '--reverse', `${outcome.base}..${outcome.branch}`]
    assert.deepEqual(rig.git('log', format, ...range).split('\n'), EXPECTED[merge])
    for (const trailers of rig
      .git('log', '--format=%(trailers:key=Signed-off-by,valueonly)%x00', ...range)
      .split('\0\n'))
      assert.match(trailers, /^Test Person <test@example.com>\n?\0?$/)
    for (const id of ['alone', 'one', 'two'])
      for (const name of ['1', '2', 'rest']) assert.equal(rig.landedFile(outcome, `${id}-${name}.txt`), id)
    assert.deepEqual(
      run.all('landing.verified').map(({ verdict }) => verdict?.passed),
      [true, true],
    )
    assert.deepEqual(
      run.all('landing.landed').map(({ tasks }) => tasks),
      [['alone'], ['one', 'two']],
    )
  })
}

test('rebase: tasks that ran side by side are replayed one on top of the other', async () => {
  await using rig = await Rig.open()
  const ids = ['a', 'b', 'c']
  const run = await rig.run(
    ids.map((id) => ({ id, run: commits(id) })),
    { landing: { merge: 'rebase' } },
  )
  const { outcome } = run
  assert.equal(rig.git('rev-list', '--count', '--merges', `${outcome.base}..${outcome.branch}`), '0')
  assert.equal(rig.git('rev-list', '--count', `${outcome.base}..${outcome.branch}`), '9')
  assert.deepEqual(
    rig
      .landings(outcome)
      .filter((line) => line !== '/')
      .sort(),
    ['a/1', 'b/1', 'c/1'],
  )
  for (const id of ids) assert.equal(rig.landedFile(outcome, `${id}-rest.txt`), id)

  // The agents' own commits are nowhere in the result, but their work is: nothing keeps the run from being cleaned up.
  assert.ok((await landRun(await workspaceAt(rig.top))).ok)
  rig.git('branch', '-D', outcome.branch)
  const cleaned = await cleanState(await workspaceAt(rig.top), { all: true })
  assert.ok(cleaned.ok)
  assert.deepEqual(cleaned.value.kept, [])
})
