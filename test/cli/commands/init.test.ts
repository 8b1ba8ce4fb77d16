import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../src/config.ts'
import { readPlan } from '../../../src/workloads/plan/read.ts'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { makeRepository, runGit, temporaryFolder, write } from '../../rig/repository.ts'

const FILES = { 'package.json': '{"scripts": {"test": "node --test"}}', 'README.md': '# Shop\n', 'test/a.test.js': '' }

test('the plan has prompts for the agent that is installed, checks that exist, and the name of the repository', async () => {
  await using repository = await makeRepository({ files: FILES })
  for (const program of ['npm', 'codex']) {
    await write(repository.at('bin', program), '')
    await chmod(repository.at('bin', program), 0o755)
  }
  const { status, out, err } = await espalier(repository.top, ['init'], { path: repository.at('bin') })
  assert.deepEqual([status, err], [0, ''])
  assert.match(
    out,
    /^Language {4}JavaScript\nTests {7}npm test\nAgents {6}codex \(no login found: start `codex` once and log in, or set its key\)$/m,
  )
  assert.match(out, /^Wrote espalier\.yaml: 2 tasks for codex to begin with; change them to what you need\.$/m)
  const text = await readFile(repository.at('repo', 'espalier.yaml'), 'utf8')
  const read = readPlan(text, 'espalier.yaml', DEFAULT_SETTINGS)
  assert.ok(read.ok)
  const { plan, warnings } = read.value
  assert.deepEqual([plan.name, warnings], ['repo', []])
  assert.deepEqual(
    plan.tasks.map(({ work, verify }) => [work.kind, work.kind === 'prompt' && work.agent, verify]),
    [
      ['prompt', 'codex', ['test -s README.md']],
      ['prompt', 'codex', ['npm test']],
    ],
  )
})

test('work of the plan outside its claims does not land', async () => {
  await using repository = await makeRepository({ files: { 'README.md': '# Shop\n' } })
  assert.equal((await espalier(repository.top, ['init'], { path: '' })).status, 0)
  const junk = 'echo better >> README.md; echo junk > junk.txt'
  const made = await espalier(repository.top, ['run', '--command', junk, '--retries', '0'])
  assert.equal(made.status, 1)
  assert.match(made.err + made.out, /junk\.txt/)
  assert.equal(repository.git('rev-parse', 'espalier/repo-1'), repository.git('rev-parse', 'main'))
})

test('nothing is written into a bare repository', async () => {
  await using folder = await temporaryFolder()
  runGit(folder.path, ['init', '-q', '--bare'])
  for (const words of [['init'], ['init', '--search']]) {
    const { status, err } = await espalier(folder.at('objects'), words, { path: '' })
    assert.equal(status, 2)
    assert.match(err, /is a bare repository: run espalier in a checkout of it/)
  }
  assert.deepEqual((await readdir(folder.at('objects'))).sort(), ['info', 'pack'])
})

test('a plan is written for every kind of name, and never over a file', async () => {
  for (const name of ['12', 'null', 'Überladen & Co']) {
    await using folder = await temporaryFolder()
    const top = folder.at(name)
    await mkdir(top)
    const first = await espalier(top, ['init'], { path: '' })
    assert.equal(first.status, 0)
    assert.match(first.err, /not in a git repository.*`git init`/)
    assert.ok(readPlan(await readFile(`${top}/espalier.yaml`, 'utf8'), 'espalier.yaml', DEFAULT_SETTINGS).ok)
    const second = await espalier(top, ['init'], { path: '' })
    assert.equal(second.status, 2)
    assert.match(second.err, /^espalier\.yaml: is there already/)
  }
})

test('what cannot be done is said', async () => {
  await using folder = await temporaryFolder()
  assert.equal((await espalier(folder.path, ['init', 'plans/new/plan.yaml'])).status, 0)
  const inTheWay = await espalier(folder.path, ['init', 'plans/new/plan.yaml/plan.yaml'])
  assert.equal(inTheWay.status, 2)
  assert.match(inTheWay.err, /^plans\/new\/plan\.yaml\/plan\.yaml: cannot be written: .*Name another file/)
  const unknown = await espalier(folder.path, ['init', '--agent', 'clod'])
  assert.equal(unknown.status, 2)
  assert.match(unknown.err, /no agent `clod`: command, claude, codex/)
})

test('run --agent says when no task has a prompt', async () => {
  const plan = '{"tasks": [{"id": "a", "run": "echo a > a.txt"}]}'
  await using repository = await makeRepository({ files: { 'plan.json': plan } })
  const { err } = await espalier(repository.top, ['run', 'plan.json', '--agent', 'claude', '--dry-run'])
  assert.match(err, /--agent has no effect: no task of this plan has a `prompt`/)
  const without = await espalier(repository.top, ['run', 'plan.json', '--dry-run'])
  assert.doesNotMatch(without.err, /no effect/)
})
