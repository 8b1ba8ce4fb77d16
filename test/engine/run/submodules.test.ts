// Runs in a repository with a submodule.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { runGit } from '../../rig/repository.ts'
import { Rig } from '../../rig/rig.ts'

const FILES = '-c protocol.file.allow=always'

async function withSubmodule() {
  const rig = await Rig.open()
  const library = rig.repository.at('library')
  runGit(rig.repository.path, ['clone', '-q', rig.top, library])
  rig.git(...FILES.split(' '), 'submodule', '--quiet', 'add', library, 'lib')
  rig.repository.commit('with a submodule')
  return rig
}

test('work inside a submodule fails its task, and is in its ref', async () => {
  await using rig = await withSubmodule()
  const run = await rig.run([
    { id: 'both', run: 'echo hi > lib/new; echo 2 > y' },
    { id: 'only', run: 'echo hi > lib/new' },
    { id: 'none', run: 'echo 1 > z' },
    { id: 'apart', run: 'echo hi > lib/new', land: false },
  ])
  assert.deepEqual(run.statuses(), { both: 'failed', only: 'failed', none: 'landed', apart: 'passed' })
  assert.equal(run.task('only').failure?.reason, 'submodule-changed')
  for (const ref of ['failed/both', 'failed/only', 'kept/apart'])
    assert.equal(rig.git('show', `refs/espalier/${run.id}/${ref}/1:lib/new`), 'hi')
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/both/1:y`), '2')
})

/** As docs/worktrees.md has it. */
const SETUP = `git ${FILES} submodule update --init || git submodule foreach '(git cat-file -e $sha1 || git ${FILES} fetch -q "$toplevel" $sha1) && git checkout -q $sha1'`

test('submodules: allow: commits made inside land one after the other, and the owner gets them', async () => {
  await using rig = await withSubmodule()
  const inside = (name: string) =>
    `cd lib && echo ${name} > ${name} && git add -A && git -c user.name=x -c user.email=x@y commit -qm ${name}`
  const run = await rig.run(
    [
      { id: 'a', run: inside('one') },
      { id: 'b', needs: ['a'], run: `cat lib/one && ${inside('two')}` },
      { id: 'c', needs: ['b'], run: 'cat lib/one lib/two > both.txt' },
    ],
    { submodules: 'allow', setup: [SETUP], maxConcurrency: 1, landing: { verify: ['test -e lib/one'] } },
  )
  assert.deepEqual(run.statuses(), { a: 'landed', b: 'landed', c: 'landed' }, JSON.stringify(run.task('a').history))
  assert.equal(rig.landedFile(run.outcome, 'both.txt'), 'one\ntwo')
  const made = rig.git('rev-parse', `${run.outcome.branch}:lib`)
  assert.equal(rig.git('show', `refs/espalier/${run.id}/submodules/${made}:two`), 'two')
  rig.git('fsck', '--connectivity-only')
  assert.equal((await espalier(rig.top, ['land'])).status, 0)
  const refs = `refs/espalier/${run.id}/submodules/*`
  const fetched = ['-C', 'lib', 'fetch', '-q', rig.top, `${refs}:${refs}`]
  rig.git(...fetched)
  rig.git('submodule', '--quiet', 'update')
  assert.equal(runGit(`${rig.top}/lib`, ['show', 'HEAD:two']), 'two')
  const cleaned = await espalier(rig.top, ['clean', '--all'])
  assert.equal(cleaned.status, 0, cleaned.err)
  rig.git('update-ref', '-d', `refs/espalier/${run.id}/submodules/${made}`)
})

test('a run is not cleaned away while nobody else has a commit that it made in a submodule', async () => {
  await using rig = await withSubmodule()
  const task = 'cd lib && git -c user.name=x -c user.email=x@y commit -q --allow-empty -m inside'
  const run = await rig.run([{ id: 'a', run: task }], { submodules: 'allow', setup: [SETUP] })
  const made = rig.git('rev-parse', `${run.outcome.branch}:lib`)
  rig.git('update-ref', '-d', `refs/espalier/${run.id}/submodules/${made}`)
  assert.match((await espalier(rig.top, ['clean', '--all'])).out, /in no branch or ref of your repository/)
  rig.git('show', `${run.outcome.branch}:README.md`)
  assert.equal((await espalier(rig.top, ['land'])).status, 0)
  assert.equal(rig.git('rev-parse', `refs/espalier/${run.id}/submodules/${made}`), made)
})

test('run and plan check say that there are submodules, unless they may change', async () => {
  await using rig = await withSubmodule()
  await rig.repository.write('plan.yaml', 'tasks: [{id: a, run: echo 1 > z}]\n')
  const says = async (...args: string[]) => (await espalier(rig.top, args)).err
  for (const command of [
    ['run', 'plan.yaml'],
    ['plan', 'check', 'plan.yaml'],
  ])
    assert.match(await says(...command), /the repository has submodules/)
  assert.match((await espalier(rig.top, ['doctor'])).out, /the repository has submodules/)
  await rig.repository.write('.espalier/config.yaml', 'submodules: allow\n')
  for (const command of [
    ['run', 'plan.yaml', '--new'],
    ['plan', 'check', 'plan.yaml'],
  ])
    assert.doesNotMatch(await says(...command), /submodules/)
})
