// `espalier land --push` and `--pr`, with a bare repository as the remote and a script in place of the GitHub CLI.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { GitTrouble } from '../../rig/full-disk.ts'
import { makeRepository, runGit } from '../../rig/repository.ts'
import { Rig } from '../../rig/rig.ts'

/** A repository with a remote, and a run in it that has landed one task. `gh` is a script, or is not there. */
async function finished({ gh }: { gh: string | null } = { gh: null }) {
  const rig = await Rig.open()
  const bare = rig.repository.at('remote.git')
  runGit(rig.repository.path, ['init', '-q', '--bare', '-b', 'main', bare])
  rig.git('remote', 'add', 'origin', bare)
  rig.git('push', '-q', '-u', 'origin', 'main')
  await rig.run([{ id: 'task', title: 'Add the thing', run: 'echo new > new.txt' }])
  const path = rig.repository.at('bin')
  await mkdir(path)
  for (const program of ['git', 'cat']) {
    const found = execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim()
    await symlink(found, join(path, program))
  }
  if (gh !== null) {
    await writeFile(join(path, 'gh'), `#!/bin/sh\n${gh}\n`)
    await chmod(join(path, 'gh'), 0o755)
  }
  const land = (...args: string[]) => espalier(rig.top, ['land', ...args], { path })
  const remote = (...args: string[]) => runGit(bare, args)
  return { rig, bare, land, remote, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() }
}

test('--push: the branch that was landed on is pushed, and it is said what and where to', async () => {
  await using t = await finished()
  const first = await t.land('--push', 'origin')
  assert.equal(first.status, 0, first.err)
  assert.match(first.out, /^Landed .* on main .*\npushed main to origin \(.*remote\.git\)\n$/)
  assert.equal(t.remote('rev-parse', 'main'), t.rig.git('rev-parse', 'main'))
  assert.equal(t.remote('show', 'main:new.txt'), 'new')
  const again = await t.land('--push', 'origin')
  assert.match(again.out, /main already has .*\norigin \(.*\) already has main\n$/)
})

test('once it is landed, status and report say so and do not offer it again', async () => {
  await using t = await finished()
  const look = async (...args: string[]) => (await espalier(t.rig.top, args)).out
  assert.match(await look('status'), /espalier land /)
  assert.match(await look('report'), /espalier land /)
  assert.doesNotMatch(await look('status', '--all'), /landed on/)
  assert.match((await t.land()).out, /^Landed .* on main/)
  t.rig.git('commit', '-q', '--allow-empty', '-m', 'mine, on top of it')
  const status = await look('status')
  assert.match(status, /✓ landed on main \([0-9a-f]{8}\)\n/)
  assert.doesNotMatch(status, /espalier land /)
  assert.match(await look('status', '--all'), / {2}landed on main\b/)
  const report = await look('report')
  assert.match(report, /landed on \S+ and on main/)
  assert.doesNotMatch(report, /espalier land /)
})

test('a plan file that the run has written into is named while that is not committed', async () => {
  const plan = '# Tasks: Notes\n\n## Phase 1: Setup\n\n- [ ] T001 Write a note in note.txt\n'
  await using repository = await makeRepository({ files: { 'specs/tasks.md': plan } })
  const said = (...args: string[]) => espalier(repository.top, args)
  assert.equal((await said('run', 'specs/tasks.md', '--command', 'cat > note.txt')).status, 0)
  const hint = 'Not committed: task statuses in specs/tasks.md\n'
  assert.match((await said('land')).out, new RegExp(`^Landed .* on main .*\\n${hint}$`))
  repository.git('commit', '-qam', 'Note what is done')
  assert.doesNotMatch((await said('land')).out, /Not committed/)
})

test('what has landed is not called a failure because git cannot say what is not committed', async () => {
  const plan = '# Tasks: Notes\n\n## Phase 1: Setup\n\n- [ ] T001 Write a note in note.txt\n'
  await using repository = await makeRepository({ files: { 'specs/tasks.md': plan } })
  const said = (...args: string[]) => espalier(repository.top, args)
  assert.equal((await said('run', 'specs/tasks.md', '--command', 'cat > note.txt')).status, 0)
  using trouble = new GitTrouble(repository.path)
  trouble.begin('broken', '--ignore-submodules=all')
  for (const landed of [/^Landed .* on main .*\n$/, /^main already has .*\n$/]) {
    const { status, out, err } = await said('land')
    assert.match(out, landed)
    assert.deepEqual([status, err], [0, ''])
  }
  trouble.end()
  assert.match((await said('land')).out, /\nNot committed: task statuses in specs\/tasks\.md\n/)
})

test('--push: what somebody else has pushed is not overwritten; the reason and the way on are said', async () => {
  await using t = await finished()
  const other = t.rig.repository.at('other')
  runGit(t.rig.repository.path, ['clone', '-q', t.bare, other])
  runGit(other, ['commit', '-q', '--allow-empty', '-m', 'theirs'])
  runGit(other, ['push', '-q', 'origin', 'HEAD:main'])
  const theirs = t.remote('rev-parse', 'main')
  const { status, out, err } = await t.land('--push', 'origin')
  assert.equal(status, 1)
  assert.match(out, /^Landed .* on main/)
  assert.match(
    err,
    /main was not pushed to origin .*\[rejected\] \(fetch first\)\. Nothing was forced; .*`git pull origin main`/,
  )
  assert.equal(t.remote('rev-parse', 'main'), theirs)
})

test('--push: what the other side says when it refuses is passed on', async () => {
  await using t = await finished()
  await writeFile(join(t.bare, 'hooks/pre-receive'), '#!/bin/sh\necho main is protected >&2\nexit 1\n')
  await chmod(join(t.bare, 'hooks/pre-receive'), 0o755)
  const { status, err } = await t.land('--push', 'origin')
  assert.equal(status, 1)
  assert.match(err, /remote rejected.*main is protected/)
})

test('--push: a remote that is not there is told before anything lands', async () => {
  await using t = await finished()
  const before = t.rig.git('rev-parse', 'main')
  for (const more of [[], ['--pr']]) {
    const { status, out, err } = await t.land('--push', 'upstream', ...more)
    assert.deepEqual([status, out], [2, ''])
    assert.match(err, /there is no remote upstream; there is origin/)
  }
  assert.equal(t.rig.git('rev-parse', 'main'), before)
})

test('--pr: the branch of the run is pushed and proposed with the report; no branch here moves', async () => {
  await using t = await finished({
    gh: 'printf "%s\\n" "$@" > ../gh-args; cat > ../gh-body; echo https://example.com/pull/7',
  })
  const before = t.rig.git('rev-parse', 'main')
  const { status, out, err } = await t.land('--pr')
  assert.equal(status, 0, err)
  assert.match(
    out,
    /^pushed espalier\/plan-1 to origin \(.*\), where it is new\nopened a pull request into main: https:\/\/example\.com\/pull\/7\n$/,
  )
  assert.equal(t.rig.git('rev-parse', 'main'), before)
  assert.equal(t.remote('rev-parse', 'espalier/plan-1'), t.rig.git('rev-parse', 'espalier/plan-1'))
  assert.equal(
    await readFile(t.rig.repository.at('gh-args'), 'utf8'),
    'pr\ncreate\n--head\nespalier/plan-1\n--base\nmain\n--title\nplan: Add the thing\n--body-file\n-\n',
  )
  assert.match(await readFile(t.rig.repository.at('gh-body'), 'utf8'), /^# plan: .*\n[\s\S]*`task` Add the thing/)
})

test('--pr without gh: the branch is pushed, and it is said what to install or to open', async () => {
  await using t = await finished()
  t.rig.git('remote', 'set-url', 'origin', 'https://github.com/acme/shop.git')
  t.rig.git('config', `url.${t.bare}.insteadOf`, 'https://github.com/acme/shop.git')
  const { status, out, err } = await t.land('--pr', '--into', 'main')
  assert.equal(status, 1)
  assert.match(out, /^pushed espalier\/plan-1 to origin \(https:\/\/github\.com\/acme\/shop\.git\)/)
  assert.match(err, /gh\) is not installed: get it from https:\/\/cli\.github\.com/)
  assert.match(err, /or open https:\/\/github\.com\/acme\/shop\/compare\/main\.\.\.espalier\/plan-1\?expand=1/)
  assert.equal(t.remote('show', 'espalier/plan-1:new.txt'), 'new')
})

test('--pr: what gh says when it fails is passed on', async () => {
  await using t = await finished({ gh: 'echo "a pull request for this branch already exists" >&2; exit 1' })
  const { status, err } = await t.land('--pr')
  assert.equal(status, 1)
  assert.match(err, /gh did not open a pull request: a pull request for this branch already exists\./)
})

test('a result lands in a checkout whose git directory lies elsewhere, and in a submodule', async () => {
  await using repository = await makeRepository()
  const { path, top: superproject } = repository
  runGit(path, ['clone', '-q', '--separate-git-dir', repository.at('store.git'), superproject, 'apart'])
  repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repository.at('store.git'), 'lib')
  repository.commit('with a submodule')
  for (const top of [repository.at('apart'), join(superproject, 'lib')]) {
    const linked = repository.at('linked')
    runGit(top, ['worktree', 'add', '-q', '-b', 'other', linked])
    await writeFile(join(top, 'plan.yaml'), 'tasks: [{id: a, run: echo 1 > z}]\n')
    const ran = await espalier(top, ['run', 'plan.yaml'])
    assert.equal(ran.status, 0, ran.err)
    const elsewhere = await espalier(linked, ['land', '--into', 'main'])
    assert.match(elsewhere.err, /main is checked out in the main checkout of .*Run `espalier land` there/)
    const landed = await espalier(top, ['land'])
    assert.equal(landed.status, 0, landed.err)
    assert.equal(runGit(top, ['show', 'main:z']), '1')
    assert.equal(runGit(top, ['status', '--porcelain']), '?? plan.yaml')
    runGit(top, ['worktree', 'remove', linked])
  }
  assert.equal(repository.git('status', '--porcelain', '--ignore-submodules=all'), '', 'no state folder in it')
})
