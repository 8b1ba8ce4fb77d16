// What is in a worktree besides the commit: setup, kept caches, included files.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Rig } from '../rig/rig.ts'

test('setup runs once per worktree and base, and what it made is there for everyone and never lands', async () => {
  await using rig = await Rig.open()
  const log = rig.repository.at('setup.log')
  const settings = { maxConcurrency: 1, setup: [`echo once >> '${log}'`, 'mkdir deps && echo dep > deps/x'] }
  const tasks = ['a', 'b', 'c'].map((id) => ({ id, run: `cat deps/x > ${id}.txt` }))
  const run = await rig.run(tasks, settings)
  assert.equal(run.outcome.counts.landed, 3)
  assert.equal(await readFile(log, 'utf8'), 'once\n')
  assert.equal(rig.git('ls-tree', '--name-only', run.outcome.branch), 'README.md\na.txt\nb.txt\nc.txt\nsrc')
  rig.repository.commit('another base')
  await rig.run(tasks.slice(0, 1), settings)
  assert.equal(await readFile(log, 'utf8'), 'once\nonce\n')
})

test('the setup of a task runs after that of all, each time; what it made goes with it and never lands', async () => {
  await using rig = await Rig.open()
  const log = rig.repository.at('setup.log')
  const settings = { maxConcurrency: 1, setup: [`echo all >> '${log}'`, 'echo all > all'] }
  const setup = [`echo own >> '${log}'`, 'cat all > own; echo changed > README.md']
  const run = await rig.run(
    [
      { id: 'a', setup, run: 'cat own README.md > a.txt', priority: 1 },
      { id: 'b', run: 'ls > b.txt' },
      { id: 'c', needs: ['b'], setup: ['exit 7'], run: 'true', retries: 0 },
    ],
    settings,
  )
  assert.equal(await readFile(log, 'utf8'), 'all\nown\n')
  assert.equal(rig.git('ls-tree', '--name-only', run.outcome.branch), 'README.md\na.txt\nb.txt\nsrc')
  assert.equal(rig.git('show', `${run.outcome.branch}:a.txt`), `all\n${rig.git('show', 'HEAD:README.md')}`)
  assert.equal(rig.git('show', `${run.outcome.branch}:b.txt`), 'README.md\na.txt\nall\nb.txt\nsrc')
  assert.equal(run.task('c').failure?.reason, 'setup-failed')
})

test('a setup command that fails fails the attempt, and says why', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([{ id: 'a', run: 'echo ran > ran.txt' }], { setup: ['echo no network; exit 9'] })
  const { reason, message } = run.task('a').failure ?? {}
  assert.equal(reason, 'setup-failed')
  assert.match(message ?? '', /exited with status 9:\nno network$/)
})

test('kept caches survive from one attempt to the next and never land; nothing else survives', async () => {
  await using rig = await Rig.open()
  const run = await rig.run(
    [
      { id: 'a', run: 'mkdir -p pkg/node_modules; echo dep > pkg/node_modules/x; exit 1', priority: 1 },
      { id: 'b', run: 'cat pkg/node_modules/x > b.txt; ls pkg >> b.txt' },
    ],
    { maxConcurrency: 1, keep: ['node_modules/'] },
  )
  assert.deepEqual(run.statuses(), { a: 'failed', b: 'landed' })
  assert.equal(rig.landedFile(run.outcome, 'b.txt'), 'dep\nnode_modules')
  assert.equal(rig.git('ls-tree', '-r', '--name-only', run.outcome.branch), 'README.md\nb.txt\nsrc/a.txt\nsrc/b.txt')
})

test('files named by .worktreeinclude are in every worktree and never land', async () => {
  await using rig = await Rig.open({ files: { '.worktreeinclude': '.env\n', 'README.md': 'read me\n' } })
  await rig.repository.write('.env', 'KEY=1\n')
  const run = await rig.run([{ id: 'a', run: 'cp .env seen.txt; echo changed >> .env' }])
  assert.equal(rig.landedFile(run.outcome, 'seen.txt'), 'KEY=1')
  assert.equal(rig.landedFile(run.outcome, '.env'), null)
  assert.equal(await readFile(rig.repository.at('repo', '.env'), 'utf8'), 'KEY=1\n')
})
