// An agent that turns everything it has against the engine, in whole runs: snapshot, merge, verification, publishing
// and `espalier land`. Nothing of it runs, and what lands is what the work says. The same against single steps of git/
// is in test/git/slots/hostile-agent.test.ts.

import assert from 'node:assert/strict'
import { chmod, readdir, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { landRun } from '../../../src/index.ts'
import type { TaskDraft } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const HOOKS =
  'applypatch-msg pre-commit pre-merge-commit post-checkout post-commit post-merge post-index-change reference-transaction pre-push push-to-checkout'

/** Each leaves a mark if anything of it is obeyed by the engine. `$T` is a program that does. */
const PLANTED: Record<string, string> = {
  hooks: `mkdir -p .git/hooks; for h in ${HOOKS}; do cp $T .git/hooks/$h; done; git config core.hooksPath .git/hooks`,
  fsmonitor: 'git config core.fsmonitor $T; git config core.fsmonitorHookVersion 2',
  include:
    'git config --file $F core.fsmonitor $T; git config --file $F merge.evil.driver $T; git config include.path $F',
  'merge-drivers': 'git config merge.evil.driver "$T %A"; git config merge.default evil',
  filters: 'git config filter.evil.clean $T; git config filter.evil.smudge $T; git config filter.evil.process $T',
  'diff-programs': 'git config diff.external $T; git config diff.evil.command $T; git config diff.evil.textconv $T',
  attributes: 'echo "* merge=evil filter=evil diff=evil" > .git/info/attributes',
  'other-programs':
    'git config core.sshCommand $T; git config gpg.program $T; git config commit.gpgSign true; git config core.pager $T; git config core.editor $T; git config uploadpack.packObjectsHook $T',
  'replace-refs':
    'git replace $(git rev-parse HEAD:f) $(echo replaced | git hash-object -w --stdin); git replace --graft HEAD; git config core.useReplaceRefs true',
  grafts: 'echo $(git rev-parse HEAD) > .git/info/grafts',
  'worktree-elsewhere': 'git config core.worktree /; git config core.bare true',
}

/** Every trap leaves a mark of its own. */
async function hostile(rig: Rig) {
  const makeTrap = async (name: string) => {
    const trap = rig.repository.at(`trap-${name}`)
    await writeFile(trap, `#!/bin/sh\ntouch '${rig.repository.at(`sprung-${name}`)}'\ncat\n`)
    await chmod(trap, 0o755)
    return trap
  }
  const plant = async (name: string, work: string, planted: string) => {
    const names = `T='${await makeTrap(name)}'; F='${rig.repository.at(`included-${name}`)}'`
    // Its own git obeys it, which is its own affair: that mark is wiped before it ends.
    return ['set -e', names, work, planted, `rm -f '${rig.repository.at(`sprung-${name}`)}'`].join('\n')
  }
  const sprung = async () => (await readdir(rig.repository.path)).filter((name) => name.startsWith('sprung'))
  return { makeTrap, plant, sprung }
}

test('whatever agents plant in their repositories, nothing of it runs and what lands is their work', async () => {
  await using rig = await Rig.open({ files: { f: '1\n2\n3\n4\n5\n' } })
  const { plant, sprung } = await hostile(rig)
  const attributes = `printf '* merge=evil filter=evil diff=evil\\n' > .gitattributes`
  const tasks: TaskDraft[] = []
  for (const [id, planted] of Object.entries(PLANTED)) {
    const edit = `printf 'one\\n2\\n3\\n4\\n5\\n' > f; git add -A; git commit -q --allow-empty -m ${id}; echo ${id} > ${id}.txt`
    tasks.push({ id, run: await plant(id, `${attributes}; ${edit}`, planted) })
  }
  const landing = { verify: ['test "$(head -n 1 f)" = one'] }
  const run = await rig.run(tasks, { maxConcurrency: tasks.length, landing })
  for (const { id } of tasks) {
    assert.equal(run.task(id).status, 'landed', JSON.stringify(run.task(id).failure))
    assert.equal(rig.landedFile(run.outcome, `${id}.txt`), id)
  }
  assert.equal(rig.landedFile(run.outcome, 'f'), 'one\n2\n3\n4\n5')
  assert.deepEqual(await sprung(), [])

  // The branch has gone on: the result is merged, and what landed has no say in that.
  await rig.repository.write('f', '1\n2\n3\n4\nfive\n')
  rig.repository.commit('meanwhile')
  const landed = await landRun(await workspaceAt(rig.top))
  assert.ok(landed.ok, JSON.stringify(landed))
  assert.equal(landed.value.how, 'merge')
  assert.equal(rig.git('show', 'HEAD:f'), 'one\n2\n3\n4\nfive')
  assert.equal(rig.git('status', '--porcelain'), '')
  assert.deepEqual(await sprung(), [])
})

for (const merge of ['regular', 'rebase'] as const) {
  test(`${merge}: attributes that have landed neither hide a conflict nor call a driver of the user's`, async () => {
    await using rig = await Rig.open({ files: { f: '1\n2\n3\n' } })
    const { makeTrap, sprung } = await hostile(rig)
    rig.git('config', 'merge.evil.driver', `${await makeTrap('driver')} %A`)
    const attributes = `printf '* merge=union\\nf merge=evil\\n' > .gitattributes`
    const first = await rig.run([{ id: 'attributes', run: attributes }], {
      landing: { merge },
    })
    assert.ok((await landRun(await workspaceAt(rig.top))).ok)
    assert.deepEqual(first.statuses(), { attributes: 'landed' })
    const run = await rig.start([{ id: 'a' }, { id: 'b' }], { landing: { merge, conflict: 'fail' } })
    const [a, b] = [await rig.stage.next('a'), await rig.stage.next('b')]
    await a.deliver('f', '1\na\n3\n')
    await run.saw('landing.landed')
    await b.deliver('f', '1\nb\n3\n')
    const { outcome } = await run.finish()
    assert.deepEqual(run.statuses(), { a: 'landed', b: 'failed' })
    assert.equal(run.task('b').failure?.reason, 'conflict')
    assert.equal(rig.landedFile(outcome, 'f'), '1\na\n3')
    await rig.repository.write('f', '1\nmine\n3\n')
    rig.repository.commit('meanwhile')
    const landed = await landRun(await workspaceAt(rig.top))
    assert.ok(!landed.ok)
    assert.match(landed.problems[0]?.message ?? '', /conflicts with main in f/)
    assert.deepEqual(await sprung(), [])
  })
}
