// `landing.conflict: resolve`: the agent gets its own work and what has landed, and has to bring them together.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPrompt } from '../../../src/engine/query/show-prompt.ts'
import { Rig } from '../../rig/rig.ts'
import type { Puppet } from '../../rig/stage.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

/** a lands, b conflicts with it; the puppet is b's next attempt. */
async function conflicting(rig: Rig, more = {}, settings = {}) {
  const b = { id: 'b', prompt: 'Change it.', retries: 1, ...more }
  const run = await rig.start([{ id: 'a' }, b, { id: 'c', needs: ['b'], run: 'cat src/a.txt > c.txt' }], {
    command: rig.stage.command(),
    landing: { conflict: 'resolve' },
    ...settings,
  })
  const [first, second] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await first.deliver('src/a.txt', 'of a\n')
  await run.saw('landing.landed')
  await second.write('src/b.txt', 'of b\n')
  await second.deliver('src/a.txt', 'of b\n')
  return { run, again: await rig.stage.next('b') }
}

async function settle(puppet: Puppet, text: string): Promise<void> {
  await puppet.deliver('src/a.txt', text)
}

test('it starts with both sides, and its resolution lands with both as its history', async () => {
  await using rig = await Rig.open()
  const { run, again } = await conflicting(rig, { verify: ['grep -q "b$" src/a.txt'] })
  assert.match(await again.sh('cat src/a.txt'), /<<<<<<<[\s\S]*of a[\s\S]*=======[\s\S]*of b[\s\S]*>>>>>>>/)
  assert.equal(await again.sh('cat src/b.txt'), 'of b')
  assert.equal(await again.sh('git show HEAD^1:src/a.txt HEAD^2:src/a.txt'), 'of a\nof b')
  assert.match(again.hello.stdin, /^Change it\.\n[\s\S]*## Resolve the conflict[\s\S]*\n- src\/a\.txt\n/)
  assert.doesNotMatch(again.hello.stdin, /An earlier attempt failed/)
  assert.deepEqual(await readPrompt(await workspaceAt(rig.top), { task: 'b' }), { ok: true, value: again.hello.stdin })
  await again.sh('git status --short && echo "of a and b" > src/a.txt && git commit -qam "bring them together"')
  await again.exit()
  const { outcome } = await run.finish()
  assert.equal(outcome.status, 'completed')
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/2', 'c/1'])
  assert.equal(rig.landedFile(outcome, 'src/a.txt'), 'of a and b')
  assert.equal(rig.landedFile(outcome, 'src/b.txt'), 'of b')
  const marked = rig.git('log', '--format=%H', '-G', '^<<<<<<< ', outcome.branch)
  assert.equal(marked, '', 'no commit of the branch has a marker')
  assert.deepEqual(run.task('b').history.at(-1)?.diff, { files: 2, insertions: 2, deletions: 2 })
})

test('markers left are a failure that the next attempt hears of; it starts with the conflict again', async () => {
  await using rig = await Rig.open()
  const { run, again } = await conflicting(rig, { retries: 2 })
  await settle(again, await again.sh('cat src/a.txt'))
  const third = await rig.stage.next('b')
  assert.match(
    third.hello.stdin,
    /## Resolve the conflict[\s\S]*## An earlier attempt failed[\s\S]*markers are left in src\/a\.txt/,
  )
  assert.match(await third.sh('cat src/a.txt'), /<<<<<<</)
  await settle(third, 'of a and b\n')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/3', 'c/1'])
})

test('a resolution that changes other files fails for good after the last retry, and blocks what needs it', async () => {
  await using rig = await Rig.open()
  const { run, again } = await conflicting(rig)
  await again.write('README.md', 'rewritten\n')
  await settle(again, 'of a and b\n')
  const { outcome } = await run.finish()
  assert.deepEqual(run.statuses(), { a: 'landed', b: 'failed', c: 'blocked' })
  const { failure } = run.task('b')
  assert.deepEqual([failure?.reason, failure?.paths], ['landing-refused', ['README.md']])
  assert.equal(run.task('c').failure?.cause, 'b')
  assert.deepEqual(rig.landings(outcome), ['a/1'])
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/b/2:src/a.txt`), 'of a and b', 'G5')
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/b/1:src/a.txt`), 'of b')
})

test('what lands while it resolves is merged, and an engine that takes over knows what it resolves', async () => {
  await using rig = await Rig.open()
  const b = { id: 'b', prompt: 'Change it.', retries: 1 }
  const first = await rig.start([{ id: 'a' }, b, { id: 'late' }], {
    command: rig.stage.command(),
    landing: { conflict: 'resolve' },
  })
  const [a, mine, late] = [await rig.stage.next('a'), await rig.stage.next('b'), await rig.stage.next('late')]
  await a.deliver('src/a.txt', 'of a\n')
  await first.saw('landing.landed')
  await mine.deliver('src/a.txt', 'of b\n')
  const again = await rig.stage.next('b')
  first.run.abandon()
  await first.finish()
  const second = await rig.resume()
  await late.deliver('late.txt')
  await second.saw('landing.landed', ({ tasks }) => tasks.includes('late'))
  await settle(again, 'of a and b\n')
  const { outcome } = await second.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1', 'late/1', 'b/2'])
  assert.deepEqual([rig.landedFile(outcome, 'src/a.txt'), rig.landedFile(outcome, 'late.txt')], ['of a and b', 'late'])
})

for (const merge of ['squash', 'rebase'] as const) {
  test(`with merge: ${merge} a resolution lands too, and no marker with it`, async () => {
    await using rig = await Rig.open()
    const { run, again } = await conflicting(rig, {}, { landing: { conflict: 'resolve', merge } })
    await settle(again, 'of a and b\n')
    const { outcome } = await run.finish()
    assert.equal(outcome.status, 'completed')
    assert.equal(rig.landedFile(outcome, 'src/a.txt'), 'of a and b')
    assert.equal(rig.git('log', '--format=%H', '-G', '^<<<<<<< ', outcome.branch), '')
    assert.equal(rig.git('log', '--merges', '--format=%H', `${outcome.base}..${outcome.branch}`), '')
  })
}

test('a command cannot be asked: its work is done again on the new base', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a' }, { id: 'b', retries: 1 }], { landing: { conflict: 'resolve' } })
  const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
  await a.deliver('src/a.txt', 'of a\n')
  await run.saw('landing.landed')
  await b.deliver('src/a.txt', 'of b\n')
  const again = await rig.stage.next('b')
  assert.equal(await again.sh('cat src/a.txt'), 'of a')
  await again.deliver('src/a.txt', 'of a and b\n')
  const { outcome } = await run.finish()
  assert.deepEqual(rig.landings(outcome), ['a/1', 'b/2'])
})
