// The examples of the documentation, run as a reader would run them.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type LayerSettings, resolveSettings } from '../../src/config.ts'
import { openRun, readPlan } from '../../src/index.ts'
import { makeRepository, type TestRepository, write } from '../rig/repository.ts'
import { workspaceAt } from '../rig/workspace-at.ts'
import { blocksOf, namesIn, ROOT } from './pages.ts'

const packageName = fileURLToPath(new URL('package-name.ts', import.meta.url))

function example(name: string): string {
  return join(ROOT, 'docs', 'examples', name)
}

/** The exact text of the file stands on the page, so a reader who copies it has what was tested here. */
for (const [page, file] of [
  ['docs/command-agent.md', 'agent.sh'],
  ['docs/command-agent.md', 'agent.mjs'],
  ['docs/command-agent.md', 'agents.yaml'],
] as const) {
  test(`${page} shows ${file} as it is`, () => {
    const text = readFileSync(example(file), 'utf8')
    assert.ok(blocksOf(page).some((block) => block.text === text))
  })
}

function runExample(name: string, repo: TestRepository, plan: string, PATH = process.env.PATH) {
  const { TMPDIR, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, TMPDIR, NODE_COMPILE_CACHE, HOME: repo.path, GIT_CONFIG_GLOBAL: '/dev/null' }
  const args = ['--disable-warning=ExperimentalWarning', '--import', packageName, example(name), repo.top, plan]
  return new Promise<{ status: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, args, { env, cwd: repo.path }, (error, out, err) => {
      resolve({ status: error ? Number(error.code) : 0, out, err })
    })
  })
}

/** The plan on the library page, in a file. */
async function planOfPage(repo: TestRepository): Promise<string> {
  const plan = blocksOf('docs/library.md').find(({ info }) => info === 'yaml')
  const file = repo.at('plan.yaml')
  await write(file, plan?.text ?? '')
  return file
}

/** Times differ from run to run. */
function withoutTimes(text: string): string {
  return text.replace(/\d+ ms/g, 'N ms')
}

test('the library example prints what its page says, and the work is on the branch', async () => {
  await using repo = await makeRepository()
  const { status, out, err } = await runExample('library.mjs', repo, await planOfPage(repo))
  assert.equal(err, '')
  assert.equal(status, 0)
  const shown = blocksOf('docs/library.md').find(({ info }) => info === 'text')
  assert.equal(withoutTimes(out), withoutTimes(shown?.text ?? ''))
  assert.equal(repo.git('show', 'espalier/plan-1:menu.txt'), 'green')
})

test('the library example cancels the run when its probe fails', async () => {
  await using repo = await makeRepository()
  const probe = `{"id": "probe", "run": "exit 4", "priority": "high", "retries": 0}`
  const after = `{"id": "later", "run": "true", "after": ["probe"]}`
  await write(repo.at('probe.json'), `{"tasks": [${probe}, ${after}]}`)
  const { status, out } = await runExample('library.mjs', repo, repo.at('probe.json'))
  assert.equal(status, 0)
  assert.match(out, /^probe: command-failed: exited with status 4$/m)
  assert.match(out, /^later: cancelled: /m)
})

test('the library example starts the agent that a plan names', async () => {
  await using repo = await makeRepository()
  await write(repo.at('claude.yaml'), 'agent: claude\ntasks: [{id: a, prompt: x, retries: 0}]\n')
  await write(repo.at('bin/claude'), '#!/bin/sh\nexit 3\n')
  await chmod(repo.at('bin/claude'), 0o755)
  const path = `${repo.at('bin')}:${process.env.PATH}`
  const { out, err } = await runExample('library.mjs', repo, repo.at('claude.yaml'), path)
  assert.equal(err, '')
  assert.match(out, /^a: agent-failed: Claude Code exited with status 3/m)
})

test('the library example says where a plan is wrong and ends with 2', async () => {
  await using repo = await makeRepository()
  const file = repo.at('wrong.yaml')
  await write(file, 'tasks:\n  - id: a\n')
  const { status, err } = await runExample('library.mjs', repo, file)
  assert.equal(status, 2)
  assert.match(err, /wrong\.yaml:2:5: task `a` has nothing to do/)
})

test('the resume example stops after the first landing and goes on', async () => {
  await using repo = await makeRepository()
  const { status, out, err } = await runExample('resume.mjs', repo, await planOfPage(repo))
  assert.equal(err, '')
  assert.equal(status, 0)
  assert.match(out, /^interrupted: true, landed: 1$/m)
  assert.match(out, /^tea: landed, started 1 times$/m)
  assert.match(out, /^completed, landed: 2$/m)
})

async function runPlan(repo: TestRepository, text: string, layer: LayerSettings) {
  const { settings } = resolveSettings([{ from: 'test', settings: { retries: 0, stateDir: repo.state, ...layer } }])
  const read = readPlan(text, 'agents.yaml', settings)
  assert.ok(read.ok)
  const opened = await openRun(await workspaceAt(repo.top), { plan: read.value.plan, settings })
  assert.ok(opened.ok)
  await using run = opened.value
  const result = await run.execute()
  return { result, view: run.status() }
}

const agentsPlan = readFileSync(example('agents.yaml'), 'utf8')

test('the agent in sh does both tasks of its plan', async () => {
  await using repo = await makeRepository()
  const { result, view } = await runPlan(repo, agentsPlan, { command: `sh '${example('agent.sh')}'` })
  assert.equal(result.status, 'completed')
  assert.equal(repo.git('show', `${result.branch}:notes/tea.md`), 'Describe our tea.')
  assert.equal(view.tasks[0]?.history[0]?.summary, 'wrote a note')
})

test('the agent in Node does the task that names a file, fails the other, and tells its cost', async () => {
  await using repo = await makeRepository()
  const command = `'${process.execPath}' '${example('agent.mjs')}'`
  const { result } = await runPlan(repo, agentsPlan, { command })
  assert.deepEqual(
    result.failures.map(({ task, failure }) => [task, failure.reason]),
    [['tea', 'agent-failed']],
  )
  assert.equal(repo.git('show', `${result.branch}:docs/menu.txt`), 'green, black, white')
  assert.equal(result.costUsd, 0.001)
})

test('an agent has exactly the variables that its page names, and the result the fields of its page', async () => {
  await using repo = await makeRepository()
  const run = 'env | grep -E "^(ESPALIER_|TMPDIR=)" | cut -d= -f1 | sort > variables.txt'
  const { result } = await runPlan(repo, JSON.stringify({ tasks: [{ id: 'look', prompt: 'Look around.' }] }), {
    command: run,
  })
  const variables = repo.git('show', `${result.branch}:variables.txt`).split('\n')
  assert.deepEqual(namesIn('docs/command-agent.md', 'What it gets', 'variable').sort(), variables)
  assert.deepEqual(namesIn('docs/library.md', 'The result', 'field').sort(), Object.keys(result).sort())
})
