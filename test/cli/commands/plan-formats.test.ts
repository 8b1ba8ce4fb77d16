// Plans of other formats on the command line: what is said about them, converted, and run.
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

const PLAN = `{
  "feature": "Notes", // JSON with comments
  "phases": [
    {"phase": 1, "name": "First", "parallel_safe": true, "subtasks": [
      {"id": "one", "description": "Write one", "status": "completed"},
      {"id": "two", "description": "Write two", "status": "failed", "files_to_create": ["two.txt"], "weight": 3, "mood": "good"},
      {"id": "lost", "description": "Write elsewhere", "files_to_create": ["/etc/lost.txt"]}
    ]},
    {"phase": 2, "name": "Then", "depends_on": ["1"], "subtasks": [{"id": "last", "description": "Needs all"}]},
    {"phase": 3, "name": "Apart", "depends_on": [], "subtasks": [{"id": "free", "description": "Write free"}]}
  ]
}
`

test('check says what it is, convert writes it down, run does what is left of it', async () => {
  await using repository = await makeRepository({ files: { 'specs/implementation_plan.json': PLAN } })
  const run = (...args: string[]) => espalier(repository.top, args)
  const file = 'specs/implementation_plan.json'

  const checked = await run('plan', 'check', file)
  assert.equal(checked.status, 0, checked.err)
  assert.equal(
    checked.out,
    [
      'read as implementation_plan.json: 4 tasks to do, 1 done already',
      'Assumed',
      `  ${file}:6:59  subtasks that are \`failed\` are run from the start: \`two\``,
      `  ${file}:6:122  told to the agent, and otherwise without a meaning here: \`mood\``,
      'Ignored',
      `  ${file}:6:101  fields of a subtask: \`weight\``,
      'Plan OK: 4 tasks in 3 epics',
      '',
    ].join('\n'),
  )
  const json = JSON.parse((await run('plan', 'check', 'specs', '--json')).out)
  assert.equal(json.format, 'implementation-plan')
  assert.deepEqual([json.tasks, json.done, json.skipped], [4, 1, []])
  assert.deepEqual(
    json.ignored.map(({ line, column }: { line: number; column: number }) => [line, column]),
    [[6, 101]],
  )

  const converted = await run('plan', 'convert', file, '-o', 'own.yaml')
  assert.equal(converted.status, 0, converted.err)
  assert.match(await readFile(join(repository.top, 'own.yaml'), 'utf8'), /^# Made of .*\nname: notes\n/)
  assert.match((await run('plan', 'check', 'own.yaml')).out, /^Plan OK: 4 tasks in 3 epics\n$/)
  const again = await run('plan', 'convert', file, '-o', 'own.yaml')
  assert.equal(again.status, 2)
  assert.match(again.err, /own\.yaml: is there already: name another file with -o\n$/)
  // By what the file is called, in a folder that is made for it.
  const asJson = await run('plan', 'convert', file, '-o', 'plans/new/own.json')
  assert.equal(asJson.status, 0, asJson.err)
  assert.equal(JSON.parse(await readFile(join(repository.top, 'plans/new/own.json'), 'utf8')).name, 'notes')
  const noFolder = await run('plan', 'convert', file, '-o', 'own.yaml/x.yaml')
  assert.equal(noFolder.status, 2)
  assert.match(
    noFolder.err,
    /^own\.yaml\/x\.yaml: cannot be written: .*own\.yaml is no folder\. Name another file with -o\n$/,
  )

  const ran = await run('run', file, '--command', 'cat > "$ESPALIER_TASK.txt"', '--retries', '0')
  assert.equal(ran.status, 1, ran.err)
  assert.match(ran.err, /^read as implementation_plan\.json: 4 tasks to do, 1 done already\n/)
  const status = JSON.parse((await run('status', '--json')).out)
  const ended = status.tasks.map(
    ({ id, status, failure }: { id: string; status: string; failure?: { reason: string } }) => {
      return [id, status, failure?.reason ?? '']
    },
  )
  assert.deepEqual(ended, [
    ['two', 'landed', ''],
    ['lost', 'failed', 'outside-repository'],
    ['last', 'blocked', 'need-failed'],
    ['free', 'landed', ''],
  ])
})

test('a file in which everything is done, a format by name, a folder that is none', async () => {
  const done = JSON.stringify({ features: [{ id: 'a', description: 'A', status: 'complete' }] })
  await using repository = await makeRepository({ files: { 'queue.json': done } })
  const run = (...args: string[]) => espalier(repository.top, args)
  const nothing = await run('run', 'queue.json')
  assert.equal(nothing.status, 0)
  assert.equal(nothing.err, 'read as work queue JSON: 0 tasks to do, 1 done already\nNothing left to do\n')
  const finished = JSON.parse((await run('run', 'queue.json', '--json')).out)
  const { run: name, branch, base, head, status, interrupted, totalTasks } = finished
  assert.deepEqual([name, branch, base, head], [null, null, null, null])
  assert.deepEqual([status, interrupted, totalTasks], ['completed', false, 0])
  // It has every field of a run's end, but the number of the event.
  const plan = JSON.stringify({ name: 'p', tasks: [{ id: 'a', run: 'true' }] })
  await repository.write('plan.json', plan)
  const [last = ''] = (await run('run', 'plan.json', '--dirty', '--json')).out.trim().split('\n').slice(-1)
  const { seq: _, ...ofRun } = JSON.parse(last)
  assert.deepEqual(Object.keys(finished).sort(), Object.keys(ofRun).sort())
  assert.deepEqual(Object.keys(finished.counts).sort(), Object.keys(ofRun.counts).sort())
  assert.match((await run('plan', 'check', 'queue.json')).out, /^read as work queue JSON[\s\S]*Nothing left to do\n$/)
  assert.equal((await run('plan', 'convert', 'queue.json')).status, 2)

  const forced = await run('plan', 'check', 'queue.json', '--format', 'beads')
  assert.equal(forced.status, 2)
  const unknown = await run('plan', 'check', 'queue.json', '--format', 'x')
  assert.match(unknown.err, /^there is no format `x`; known: espalier, /)

  await mkdir(join(repository.top, 'empty'))
  assert.match(
    (await run('run', 'empty')).err,
    /^empty: there is no plan in this folder, nor where tools put theirs: .*\n$/,
  )
  await writeFile(join(repository.top, 'empty', 'notes.md'), 'x')
  assert.match((await run('run', 'empty', 'queue.json')).err, /Nothing left to do/)
})

test('check --accept writes what is not run into the settings, and from then on it is run', async () => {
  const subtasks = ['npm run smoke', 'docker ps', 'npm test'].map((command, n) => ({
    ...{ id: `t${n}`, description: 'Do it', verification: { type: 'command', command } },
  }))
  const settings = '# ours\nretries:   2\nchecks: ["npm run x*"] # before\n'
  await using repository = await makeRepository({
    files: {
      'implementation_plan.json': JSON.stringify({ feature: 'A', phases: [{ phase: 1, subtasks }] }),
      '.espalier/config.yaml': settings,
    },
  })
  const run = (...args: string[]) => espalier(repository.top, args)
  const written = () => readFile(join(repository.top, '.espalier/config.yaml'), 'utf8')

  const asked = await run('plan', 'check', 'implementation_plan.json')
  assert.equal(asked.status, 0, asked.err)
  assert.match(asked.out, /`docker ps` is told to the agent, .*; `checks: \["docker ps"\]` in .* runs it\n/)
  assert.match(asked.out, /\n2 commands are not run as checks: `espalier plan check --accept` .*\n$/)
  assert.equal(await written(), settings)

  const accepted = await run('plan', 'check', 'implementation_plan.json', '--accept')
  assert.equal(accepted.status, 0, accepted.err)
  assert.match(
    accepted.out,
    /^Added to `checks` in \.espalier\/config\.yaml:\n {2}- "npm run smoke"\n {2}- "docker ps"\n/,
  )
  assert.doesNotMatch(accepted.out, /told to the agent, not run|--accept/)
  assert.equal(await written(), settings.replace('*"]', '*", "npm run smoke", "docker ps"]'))

  const again = await run('plan', 'check', 'implementation_plan.json', '--accept', '--json')
  assert.deepEqual(JSON.parse(again.out).checksToAccept, [])

  await writeFile(join(repository.top, '.espalier/config.yaml'), '{"retries": 2}\n')
  const refused = await run('plan', 'check', 'implementation_plan.json', '--accept')
  assert.equal(refused.status, 2)
  assert.match(refused.err, /^\.espalier\/config\.yaml: .* add these .*\n {2}- "npm run smoke"\n/)
  assert.equal(await written(), '{"retries": 2}\n')
})

test('--spec finds the plan of a spec by its number, and --parallel and --max-parallel are taken', async () => {
  const spec = (id: string) =>
    JSON.stringify({ feature: id, phases: [{ phase: 1, name: 'A', subtasks: [{ id, description: `Write ${id}` }] }] })
  const files = {
    '.auto-claude/specs/001-notes/implementation_plan.json': spec('notes'),
    '.auto-claude/specs/002-mail/implementation_plan.json': spec('mail'),
    '.auto-claude/specs/002-post/implementation_plan.json': spec('post'),
  }
  await using repository = await makeRepository({ files })
  await mkdir(join(repository.top, 'deep'))
  const run = (...args: string[]) => espalier(join(repository.top, 'deep'), ['run', ...args])
  const found = await run('--spec', '001', '--parallel', '--max-parallel', '2', '--command', 'echo > notes.txt')
  assert.equal(found.status, 0, found.err)
  assert.match(found.out, /1 task, 2 at a time[\s\S]*notes landed/)
  for (const [named, says] of [
    ['002', /--spec 002 names 2 plans in \.auto-claude\/specs: there are 001-notes, 002-mail, 002-post/],
    ['3', /--spec 3 names no plan in \.auto-claude\/specs: there are 001-notes/],
  ] as const) {
    const refused = await run('--spec', named)
    assert.deepEqual([refused.status, refused.out], [2, ''])
    assert.match(refused.err, says)
  }
  assert.match((await run('plan.yaml', '--spec', '001')).err, /not both/)
})
