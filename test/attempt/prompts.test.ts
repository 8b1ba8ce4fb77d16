// What agents are told in whole runs: what those before them changed, in the words of the project's own templates.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { previewPrompt, readPrompt } from '../../src/engine/query/show-prompt.ts'
import { formatProblem, inspectBeforeRun, openRun, resumeRun } from '../../src/index.ts'
import { ok } from '../../src/problem.ts'
import type { OwnTemplates } from '../../src/prompts/templates.ts'
import { keepTemplates } from '../../src/workspace/prompt-templates.ts'
import { makeSettings } from '../rig/plan.ts'
import { Rig } from '../rig/rig.ts'
import { workspaceAt } from '../rig/workspace-at.ts'

const SAID = '{"type":"outcome","status":"success","summary":"Made the table {{users}}."}\n'

test('an agent is told what the task it builds on has changed, and everybody can read what it was told', async () => {
  await using rig = await Rig.open()
  const tasks = [
    { id: 'schema', title: 'Create the tables', prompt: 'Create them.' },
    { id: 'api', prompt: 'Build the API.', needs: ['schema'], iterations: 2, verify: ['test -f api.js'] },
  ]
  const settings = { command: rig.stage.command(), landing: { verify: ['true'] } }
  const workspace = await workspaceAt(rig.top)
  const preview = await previewPrompt(workspace, {
    task: 'api',
    plan: rig.plan(tasks),
    settings: makeSettings(settings),
  })
  assert.ok(preview.ok)
  assert.match(preview.value, /## Tasks you build on\n\n.*\n\n- Create the tables \(`schema`\)\n\n/)

  const run = await rig.start(tasks, settings)
  const schema = await rig.stage.next('schema')
  assert.doesNotMatch(schema.hello.stdin, /Tasks you build on/)
  await schema.write('db/users.sql', 'x\n')
  await schema.print(SAID)
  await schema.exit()
  const api = await rig.stage.next('api')
  const landed = run.task('schema').landedCommit ?? ''
  const told = `- Create the tables (\`schema\`, commit ${landed.slice(0, 12)})
  Its agent says: Made the table {{users}}.
  Changed: \`db/users.sql\`
`
  assert.ok(api.hello.stdin.includes(told), api.hello.stdin)
  assert.equal(await api.sh(`git show ${landed.slice(0, 12)}:db/users.sql`), 'x', 'the commit is one it can look at')
  const first = await readPrompt(workspace, { task: 'api', attempt: 1 })
  assert.deepEqual(first, { ok: true, value: api.hello.stdin })
  await api.exit()
  const again = await rig.stage.next('api')
  await again.deliver('api.js')
  await run.finish()
  const sent = await readPrompt(workspace, { task: 'api', attempt: 1 })
  assert.ok(sent.ok)
  assert.equal(sent.value, `${api.hello.stdin}\n── iteration 2 ──\n${again.hello.stdin}`)

  const next = await readPrompt(workspace, { task: 'api' })
  assert.ok(next.ok && next.value.includes(told))
  for (const [which, says] of [
    [{ attempt: 2 }, /^api has had 1 attempt$/],
    [{ task: 'apo' }, /^run plan-1 has no task apo; did you mean `api`\?$/],
    [{ run: 'plan-9' }, /^there is no run plan-9$/],
  ] as const) {
    const refused = await readPrompt(workspace, { task: 'api', ...which })
    assert.ok(!refused.ok)
    assert.match(refused.problems.map(formatProblem).join(), says)
  }
})

test('templates of the project are those of the whole run, also when it is resumed after they changed', async () => {
  await using rig = await Rig.open()
  const { repository } = rig
  await repository.write('.espalier/prompts/guidelines.md', '\ufeff- Be kind.\r\n- {{id}}\r\n')
  await repository.write('.espalier/prompts/follow-up.md', '{{first}}\nGO ON: {{message}}')
  await repository.write('.espalier/prompts/README.md', 'What {{this}} is.\n')
  const task = { id: 'a', prompt: 'Do it.', retries: 1, iterations: 2, verify: ['test -f a.txt'] }
  const run = await rig.start([task], { command: rig.stage.command() })
  const first = await rig.stage.next('a')
  assert.match(first.hello.stdin, /## Guidelines\n\n- Be kind\.\n- a\n\n/)
  run.run.interrupt()
  await run.finish()

  await repository.write('.espalier/prompts/guidelines.md', '- Be rude.\n')
  await repository.write('.espalier/prompts/task.md', '{{broken')
  const next = await readPrompt(await workspaceAt(rig.top), { task: 'a' })
  assert.ok(next.ok)
  const resumed = await rig.resume()
  const second = await rig.stage.next('a')
  assert.match(second.hello.stdin, /- Be kind\.\n/)
  assert.equal(second.hello.stdin, next.value, 'that is what it would be told')
  await second.exit()
  const third = await rig.stage.next('a')
  assert.match(third.hello.stdin, /\nGO ON: `test -f a\.txt` exited with status 1/)
  await third.deliver('a.txt')
  const { outcome } = await resumed.finish()
  assert.equal(outcome.status, 'completed')
})

test('a template with a mistake stops a run before anything is started or written', async () => {
  await using rig = await Rig.open()
  const { repository } = rig
  const place = join(rig.top, '.espalier', 'prompts')
  await repository.write('.espalier/prompts/task.md', 'Do {{prompt}}\n{{#titel}}x{{/titel}}\n')
  await repository.write('.espalier/prompts/erlier.md', 'x')
  await repository.write('.espalier/prompts/conflict.md', 'x'.repeat(40_000))
  await repository.write('.espalier/prompts/need.md', 'a\n\u0000')
  const workspace = await workspaceAt(rig.top)
  const options = {
    plan: rig.plan([{ id: 'a', prompt: 'x' }]),
    settings: makeSettings({ command: 'true' }),
  }
  const opened = await openRun(workspace, options)
  assert.ok(!opened.ok)
  const told = opened.problems.map((one) => formatProblem(one).replace(`${place}/`, ''))
  assert.match(told[0] ?? '', /^conflict\.md: has 40000 bytes; a prompt template may have 32768$/)
  assert.match(told[1] ?? '', /^erlier\.md: rename or remove it: .*; did you mean `earlier\.md`\?$/)
  assert.match(told[2] ?? '', /^need\.md:2: this holds a NUL character/)
  assert.match(told[3] ?? '', /^task\.md:2: there is no variable `titel` .*; did you mean `title`\?$/)
  assert.deepEqual((await inspectBeforeRun(workspace, options)).refusals, opened.problems)
  assert.equal(existsSync(rig.state), false)
  assert.ok(!(await previewPrompt(workspace, { ...options, task: 'a' })).ok)
})

test('a run whose kept templates cannot be read is not resumed with others', async () => {
  await using rig = await Rig.open()
  await rig.repository.write('.espalier/prompts/guidelines.md', '- Be kind.\n')
  const run = await rig.start([{ id: 'a', prompt: 'Do it.' }], { command: rig.stage.command() })
  await rig.stage.next('a')
  run.run.interrupt()
  await run.finish()
  const workspace = await workspaceAt(rig.top)
  await workspace.write(async (store) => {
    const kept = (await store.note(run.id, 'prompts')) as OwnTemplates
    assert.equal(kept.guidelines?.text, '- Be kind.\n')
    return ok(await keepTemplates(store, run.id, { guidelines: { file: 'guidelines.md', text: '{{what}}' } }))
  })
  const resumed = await resumeRun(workspace)
  assert.ok(!resumed.ok)
  assert.match(resumed.problems[0]?.message ?? '', /there is no variable `what`/)
})

test('a shell command is told nothing', async () => {
  await using rig = await Rig.open()
  const plan = rig.plan([{ id: 'a', run: 'true' }])
  const preview = await previewPrompt(await workspaceAt(rig.top), { plan, settings: makeSettings(), task: 'a' })
  assert.ok(!preview.ok)
  assert.match(preview.problems[0]?.message ?? '', /^a runs a shell command: only tasks with a `prompt` are given one$/)
})
