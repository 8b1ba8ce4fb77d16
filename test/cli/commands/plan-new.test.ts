// `espalier plan new` with an agent whose words are known.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runProgram } from '../../../src/cli/program.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import { openPlanning } from '../../../src/engine/planning/new-plan.ts'
import { DEFAULT_SETTINGS, readPlan } from '../../../src/index.ts'
import { processIdentity } from '../../../src/process/tree/identity.ts'
import { espalierHere } from '../../rig/espalier.ts'
import { FakeClaude, type Play } from '../../rig/fake-claude.ts'
import { makeSettings } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'
import { until } from '../../rig/until.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'
import { FakeTerminal } from '../fake-terminal.ts'

const SOUND = `name: reset
objective: Customers can reset their password.
tasks:
  - id: mail
    prompt: Send the mail.
    claims: [src/mail/**]
    verify: ["true"]
    estimate: 10m
  - id: page
    needs: [mail]
    prompt: Build the page.
`

/** The words of a shell that writes the plan. */
function writes(plan: string): string {
  return `cat > espalier-plan.yaml <<'END'\n${plan}END`
}

class Desk implements AsyncDisposable {
  readonly rig: Rig
  readonly claude: FakeClaude

  private constructor(rig: Rig, claude: FakeClaude) {
    this.rig = rig
    this.claude = claude
  }

  static async open(plays: Play[]): Promise<Desk> {
    const rig = await Rig.open()
    const claude = await FakeClaude.open(rig, plays)
    const { agents } = claude.settings()
    mkdirSync(join(rig.top, '.espalier'), { recursive: true })
    const settings = { agent: 'claude', agents, envAllow: ['CLAUDE_FAKE'] }
    writeFileSync(join(rig.top, '.espalier', 'config.yaml'), JSON.stringify(settings))
    return new Desk(rig, claude)
  }

  async planNew(...args: string[]) {
    const [out, err] = [new FakeTerminal(1000), new FakeTerminal(1000)]
    const { top } = this.rig
    const surroundings = {
      ...{ out: out.output, err: err.output, outPalette: palette(false), errPalette: palette(false) },
      ...{ env: { ...process.env, CLAUDE_FAKE: this.claude.folder }, cwd: top, home: top, live: false },
    }
    const status = await runProgram(['node', 'espalier', 'plan', 'new', ...args], '1.2.3', surroundings)
    return { status, out: out.screen.join('\n'), err: err.screen.join('\n') }
  }

  file(name: string): string | null {
    const path = join(this.rig.top, name)
    return existsSync(path) ? readFileSync(path, 'utf8') : null
  }

  /** All that the repository is made of, besides files that nobody has added. */
  repository(): string {
    return (
      this.rig.git('for-each-ref') + this.rig.git('count-objects', '-v') + this.rig.git('status', '--short', '-uno')
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.rig[Symbol.asyncDispose]()
  }
}

test('what is wrong with the plan goes back to the agent, and what it makes of it is written', async () => {
  await using desk = await Desk.open([
    { sh: writes('tasks:\n  - id: mail\n    needs: [mial]\n    prompt: x\n'), say: 'Here it is.', costUsd: 0.25 },
    { sh: writes(SOUND), say: 'Now it is.', costUsd: 0.5 },
  ])
  const before = desk.repository()
  const made = await desk.planNew('Customers can reset their password {{by mail}}')
  assert.equal(made.status, 0, made.out + made.err)
  assert.equal(desk.file('plan.yaml'), SOUND)
  assert.match(made.out, /^wrote plan\.yaml\. It cost \$0\.75\. Nothing of it has been run\.\nPlan OK: 2 tasks\n/)
  assert.match(made.out, /espalier run plan\.yaml$/)
  const [first, second] = await desk.claude.called()
  assert.ok(first && second, 'it was asked to go on')
  assert.ok(first.prompt.startsWith('Make a plan for this objective.'))
  assert.match(first.prompt, /<objective>\nCustomers can reset their password \{\{by mail\}\}\n<\/objective>/)
  assert.equal(second.session, first.session)
  assert.match(second.prompt, /espalier-plan\.yaml:3:\d+: .*mial/)
  assert.equal(desk.repository(), before)
  assert.deepEqual(existsSync(join(desk.rig.state, 'planning', 'work')), false)
  assert.equal(existsSync(join(desk.rig.state, 'state.db')), false, 'no run appears')
})

test('what is to be typed next has the program that was named here', async () => {
  await using desk = await Desk.open([])
  const command = `cat > espalier-plan.yaml <<'END'\n${SOUND}END`
  const made = await desk.planNew('x', '--command', command)
  assert.equal(made.status, 0, made.err)
  assert.match(made.out, /\n {2}espalier run plan\.yaml --command 'cat > espalier-plan\.yaml/)
})

test('without an agent nothing is made, and it is said how to name one', async () => {
  await using rig = await Rig.open()
  const made = await espalierHere(rig.top, ['plan', 'new', 'x'])
  assert.equal(made.status, 2)
  assert.match(made.err, /^there is no agent to make the plan: name one with `--agent claude`/)
  assert.ok(!existsSync(join(rig.top, 'plan.yaml')))
})

test('a plan that stays wrong is kept, with all that is wrong with it; a project has its own words', async () => {
  const bad = { sh: writes('tasks: []\n'), say: 'That is all.', costUsd: 0.1 }
  const folder = { sh: 'mkdir espalier-plan.yaml', say: 'Look there.' }
  await using desk = await Desk.open([
    { say: 'I wrote nothing.' },
    folder,
    { ...bad, sh: `rm -rf espalier-plan.yaml; ${bad.sh}` },
    bad,
  ])
  mkdirSync(join(desk.rig.top, '.espalier', 'prompts'))
  writeFileSync(join(desk.rig.top, '.espalier', 'prompts', 'plan.md'), 'Our way: {{objective}} in {{file}}.\n')
  const made = await desk.planNew('Nothing at all', '-o', 'next.yaml')
  assert.equal(made.status, 1, made.out + made.err)
  assert.match(made.err, /no plan was made: the agent wrote a plan with problems .* It cost \$0\.20\.\n/)
  assert.match(made.err, /^ {2}the plan has problems, the agent continues \(2 of 4\)$/m)
  assert.match(made.err, /next\.rejected\.yaml:1:\d+: /)
  assert.equal(desk.file('next.rejected.yaml'), 'tasks: []\n')
  assert.equal(desk.file('next.yaml'), null)
  const called = await desk.claude.called()
  assert.equal(called.length, 4)
  assert.equal(called[0]?.prompt, 'Our way: Nothing at all in espalier-plan.yaml.\n')
  assert.match(called[1]?.prompt ?? '', /espalier-plan\.yaml: there is no such file/)
  assert.match(called[2]?.prompt ?? '', /espalier-plan\.yaml: is no file/)
})

test('an agent that writes nothing: no plan was made, and what to do about it', async () => {
  await using desk = await Desk.open(Array.from({ length: 4 }, () => ({ say: 'I wrote nothing.' })))
  const made = await desk.planNew('Nothing at all')
  assert.equal(made.status, 1)
  assert.match(
    made.err,
    /^no plan was made: the agent wrote no espalier-plan\.yaml at the top of its worktree\. Ask again, or name another agent/m,
  )
  assert.deepEqual([made.out, desk.file('plan.yaml'), desk.file('plan.rejected.yaml')], ['', null, null])
})

test('a file that is there is not written over, and nothing is spent to find that out', async () => {
  await using desk = await Desk.open([{ sh: writes(SOUND), say: 'Done.' }])
  writeFileSync(join(desk.rig.top, 'plan.yaml'), 'mine')
  const refused = await desk.planNew('x')
  assert.equal(refused.status, 2)
  assert.match(refused.err, /^plan\.yaml: is there already/)
  assert.deepEqual(await desk.claude.called(), [])
  const empty = await desk.planNew('  ', '--force')
  assert.deepEqual([empty.status, empty.err], [2, 'the objective is empty: say what you want to reach'])
  assert.equal((await desk.planNew('x', '--force')).status, 0)
  assert.equal(desk.file('plan.yaml'), SOUND)
})

test('the folder is made, and a file called JSON has JSON in it, which can be run', async () => {
  await using desk = await Desk.open([{ sh: writes(SOUND.replace('name: reset\n', '')), say: 'Done.' }])
  const made = await desk.planNew('x', '-o', 'plans/next/out.json')
  assert.equal(made.status, 0, made.out + made.err)
  assert.match(made.out, /^wrote plans\/next\/out\.json\..*\nPlan OK: 2 tasks\n/)
  const { name, tasks } = JSON.parse(desk.file('plans/next/out.json') ?? '') as { name: string; tasks: unknown[] }
  assert.deepEqual([name, tasks.length], ['out', 2])
})

test('where it could not be written is told before anything is spent', async () => {
  await using desk = await Desk.open([{ sh: writes(SOUND), say: 'Done.' }])
  mkdirSync(join(desk.rig.top, 'folder'))
  writeFileSync(join(desk.rig.top, 'file'), 'mine')
  for (const [file, says] of [
    ['folder', /^folder: is a folder/],
    ['file/plan.yaml', /^file\/plan\.yaml: cannot be written: \S+file is no folder/],
    [`${'n'.repeat(300)}.yaml`, /cannot be written: ENAMETOOLONG/],
    ['plan.md', /^plan\.md: would not be read as a plan: name a file that ends in \.yaml or \.json/],
  ] as const) {
    const refused = await desk.planNew('x', '--force', '-o', file)
    assert.equal(refused.status, 2)
    assert.match(refused.err, says)
  }
  assert.deepEqual(await desk.claude.called(), [])
})

/** An agent that puts a file where the folder of its plan is to be made, and what became of its plan. */
async function withoutPlace(plan: string, name: string) {
  const play = { sh: `echo x > "$CLAUDE_FAKE/plans"; ${writes(plan)}`, say: 'Done.', costUsd: 0.5 }
  await using desk = await Desk.open(Array.from({ length: 4 }, () => play))
  return await desk.planNew('x', '-o', join(desk.claude.folder, 'plans', name))
}

test('a plan that cannot be written at the end is not lost: it is printed, sound or not', async () => {
  const made = await withoutPlace(SOUND, 'plan.yaml')
  assert.deepEqual([made.status, `${made.out}\n`], [1, SOUND])
  assert.match(made.err, /Plan OK\. It cost \$0\.50\.\n.*plan\.yaml: cannot be written: /)
  const rejected = await withoutPlace('tasks: []\n', 'plan.json')
  assert.deepEqual([rejected.status, rejected.out], [1, 'tasks: []'])
  const said = /no plan was made: .* with problems [\s\S]*plan\.rejected\.yaml:1:\d+: [\s\S]*cannot be written: /
  assert.match(rejected.err, said)
})

test('a run at work is not in its way, but another plan that is being made is', async () => {
  await using desk = await Desk.open([{ sh: writes(SOUND), say: 'Done.' }])
  const started = await desk.rig.start([{ id: 'a' }])
  const puppet = await desk.rig.stage.next('a')
  const settings = makeSettings(desk.claude.settings({ agent: 'claude' }))
  const asked = { objective: 'x', settings, below: settings, model: null }
  {
    const first = await openPlanning(await workspaceAt(desk.rig.top), asked)
    assert.ok(first.ok, JSON.stringify(first))
    await using _first = first.value
    const second = await desk.planNew('x')
    assert.deepEqual([second.status, second.err.includes('another `espalier plan new` is running here')], [2, true])
  }
  assert.equal((await desk.planNew('x')).status, 0)
  await puppet.deliver('a.txt')
  assert.equal((await started.finish()).outcome.status, 'completed')
})

test('nothing of it goes on when it was left', async () => {
  await using desk = await Desk.open([{ sh: 'echo $$ > "$CLAUDE_FAKE/pid"; sleep 60', say: 'Too late.' }])
  const settings = makeSettings({
    ...desk.claude.settings({ agent: 'claude' }),
    envAllow: ['CLAUDE_FAKE'],
    graceMs: 100,
  })
  const environment = { ...process.env, CLAUDE_FAKE: desk.claude.folder }
  const asked = { objective: 'x', settings, below: settings, model: null }
  const opened = await openPlanning(await workspaceAt(desk.rig.top), { ...asked, environment })
  assert.ok(opened.ok, JSON.stringify(opened))
  const pidFile = join(desk.claude.folder, 'pid')
  {
    await using planning = opened.value
    const executing = planning.run.execute()
    await until('the agent', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'))
    planning.run.abandon()
    assert.ok((await executing).interrupted)
    assert.ok(processIdentity(Number(readFileSync(pidFile, 'utf8'))) !== null, 'it goes on without an engine')
  }
  assert.equal(processIdentity(Number(readFileSync(pidFile, 'utf8'))), null)
})

test('the example that the agent is shown is a sound plan', () => {
  const template = readFileSync(new URL('../../../src/prompts/templates/plan.md', import.meta.url), 'utf8')
  const [, example = ''] = /```yaml\n(.*?)```/s.exec(template) ?? []
  const read = readPlan(example, 'plan.yaml', DEFAULT_SETTINGS)
  assert.ok(read.ok, JSON.stringify(read))
  assert.deepEqual([read.value.warnings, read.value.plan.tasks.length], [[], 2])
})
