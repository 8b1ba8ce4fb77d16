// Runs of plans in other formats, and what they leave in the plan file.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalierHere, said, startEspalier } from '../../rig/espalier.ts'
import { makeRepository, type TestRepository } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'
import { sampleFolder } from '../../workloads/formats/sample.ts'

const AGENT = 'cat >/dev/null; echo x > "$ESPALIER_TASK.txt"'
/** What is told where the run takes a status for somebody's. */
const SOMEBODYS = /stays as it is/

function planText(ids: string[], parallel_safe = false): string {
  const subtasks = ids.map((id) => ({ id, description: `Do ${id}`, status: 'pending' }))
  return `${JSON.stringify({ feature: 'plan', phases: [{ phase: 1, parallel_safe, subtasks }] }, null, 2)}\n`
}

/** A repository with one plan file. */
class Project implements AsyncDisposable {
  readonly repository: TestRepository
  readonly file: string

  private constructor(repository: TestRepository, file: string) {
    this.repository = repository
    this.file = file
  }

  static async open(text: string, name = 'implementation_plan.json'): Promise<Project> {
    const repository = await makeRepository({ files: { [name]: text } })
    return new Project(repository, repository.at('repo', name))
  }

  get text(): string {
    return readFileSync(this.file, 'utf8')
  }

  /** `a completed, b pending` */
  get statuses(): string {
    return [...this.text.matchAll(/"id": ?"?([^",]+)"?|"status": ?"([^"]+)"/g)]
      .map(([, id, status]) => id ?? status)
      .join(' ')
  }

  async type(expected: number, ...args: string[]) {
    const { status, out, err } = await espalierHere(this.repository.top, args)
    assert.equal(status, expected, out + err)
    return { out, err, all: out + err }
  }

  /** In a process of its own, which ends by the signal as soon as the file says this. */
  async until(statuses: string, signal: NodeJS.Signals, ...args: string[]): Promise<string> {
    const child = startEspalier(this.repository.top, args)
    const ended = said(child)
    try {
      await until(statuses, () => this.statuses === statuses || child.exitCode !== null)
    } finally {
      child.kill(signal)
    }
    const { out, err } = await ended
    assert.equal(this.statuses.split(' ').length, statuses.split(' ').length, out + err)
    return out + err
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.repository[Symbol.asyncDispose]()
  }
}

/** Waits for the file `go`, or for the end of the test, with all tasks but `a`. */
function waitingAgent({ repository }: Project): string {
  return `until [ $ESPALIER_TASK = a ] || [ -e '${repository.at('go')}' ] || [ ! -d '${repository.top}' ]; do sleep 0.02; done; ${AGENT}`
}

test('an engine that is killed loses nothing: resume writes what is missing, and knows its own words', async () => {
  const text = planText(['a', 'b', 'd'])
  await using project = await Project.open(text)
  const run = ['run', project.file, '--command', waitingAgent(project)]
  await project.until('a completed b in_progress d pending', 'SIGKILL', ...run)
  const completed = /"completed_at": "[^"]+"/.exec(project.text)?.[0] ?? assert.fail(project.text)
  await project.type(0, 'plan', 'check', project.file)

  // As if it had been killed before it wrote anything; and somebody has changed a subtask that has not begun, and added one.
  const now = JSON.parse(text)
  now.phases[0].subtasks[2].files_to_create = ['d.txt']
  now.phases[0].subtasks.push({ id: 'c', description: 'Do c' })
  writeFileSync(project.file, JSON.stringify(now))
  writeFileSync(project.repository.at('go'), '')
  const { err } = await project.type(0, 'resume', '--replan')
  assert.equal(
    err,
    `${project.file} has changed since the run began:\n  + new: c\n  ~ changed: d\nplan changes applied\n`,
  )
  assert.equal(project.statuses, 'a completed b completed d completed c completed')
  assert.ok(project.text.includes(completed.replace(': ', ':')), project.text)
  assert.ok(!project.text.includes('\n'), 'it is still on one line')
})

test('what a run has written is no change of its plan', async () => {
  await using project = await Project.open(planText(['a', 'b']))
  const run = ['run', project.file, '--command', waitingAgent(project)]
  await project.until('a completed b in_progress', 'SIGINT', ...run)
  assert.equal(project.statuses, 'a completed b pending')
  writeFileSync(project.repository.at('go'), '')
  assert.equal((await project.type(0, 'resume')).err, '')
  assert.equal(project.statuses, 'a completed b completed')
})

test('what is tried again follows, also after a kill, and no word of the run is taken for a person’s', async () => {
  await using project = await Project.open(planText(['a', 'b', 'c']))
  const fixed = project.repository.at('fixed')
  const agent = `[ $ESPALIER_TASK != b ] || [ -e '${fixed}' ] || exit 3; ${waitingAgent(project)}`
  writeFileSync(project.repository.at('go'), '')
  await project.type(1, 'run', project.file, '--retries', '0', '--command', agent)
  assert.equal(project.statuses, 'a completed b failed c blocked')
  assert.doesNotMatch((await project.type(1, 'retry')).all, SOMEBODYS)
  assert.equal(project.statuses, 'a completed b failed c blocked')

  const waits = `cat >/dev/null; exec sleep 1000`
  const args = ['retry', '--replan', '--command', waits]
  assert.doesNotMatch(await project.until('a completed b in_progress c pending', 'SIGKILL', ...args), SOMEBODYS)
  await project.type(0, 'cancel', '--run', 'plan-1', 'b')
  writeFileSync(fixed, '')
  assert.doesNotMatch((await project.type(1, 'resume', '--command', agent)).all, SOMEBODYS)
  assert.doesNotMatch((await project.type(0, 'retry', '--command', agent)).all, SOMEBODYS)
  assert.equal(project.statuses, 'a completed b completed c completed')
})

test('Task Master: a task is done with its subtasks; what a person has set since the run ended stays', async () => {
  const task = (id: number, title: string, more: object) => ({
    id,
    title,
    status: 'pending',
    dependencies: [],
    ...more,
  })
  const subtasks = [task(1, 'Part one', {}), task(2, 'Part two', { dependencies: [1] })]
  const others = [task(2, 'After it', { dependencies: [1] }), task(3, 'Theirs', { dependencies: [1] })]
  await using project = await Project.open(
    JSON.stringify({ tasks: [task(1, 'Whole', { subtasks }), ...others] }),
    'tasks.json',
  )
  const fixed = project.repository.at('fixed')
  await project.type(1, 'run', project.file, '--retries', '0', '--command', `[ -e '${fixed}' ] || exit 3; ${AGENT}`)
  assert.equal(project.statuses, '1 in-progress 1 pending 2 blocked 2 blocked 3 blocked')
  writeFileSync(project.file, project.text.replace(/("title":"Theirs","status":)"blocked"/, '$1"review"'))
  writeFileSync(fixed, '')
  const { all } = await project.type(0, 'retry')
  assert.equal(project.statuses, '1 done 1 done 2 done 2 done 3 review')
  const notices = all.split('\n').filter((line) => SOMEBODYS.test(line) && !line.includes('`3` stays as it is'))
  assert.deepEqual(notices, [])
})

test('what could not be written until the end is reported everywhere, and resume writes it', async () => {
  const text = planText(['a', 'b'], true)
  await using project = await Project.open(text)
  const breaks = `${AGENT}; [ "$ESPALIER_TASK" = b ] || printf '{ "phases"' > '${project.file}'`
  const ended = await project.type(0, 'run', project.file, '--command', breaks)
  const why = `! the status of tasks could not be written into ${project.file}: line 1:`
  const next = /espalier resume plan-1 +write the task statuses/
  for (const { out } of [ended, await project.type(0, 'status')]) {
    assert.ok(out.replaceAll('\n  ', ' ').includes(why), out)
    assert.match(out, next)
  }

  // It is whole again, and one of the two is another task now.
  writeFileSync(project.file, text.replace('Do b', 'Do something else'))
  const dry = await project.type(0, 'run', project.file, '--dry-run', '--command', AGENT)
  assert.match(dry.err, /this run repeats `a`, which landed in run plan-1\. Instead: `espalier resume plan-1` \(write/)
  const resumed = await project.type(0, 'resume', 'plan-1')
  assert.match(resumed.out, /its task statuses are in the plan file now, apart from b\n/)
  assert.match(resumed.err, /^the status of `b` stays as it is in .*: its description was changed during the run\n$/)
  assert.equal(project.statuses, 'a completed b pending')
  const { out } = await project.type(0, 'status')
  assert.doesNotMatch(out, next)
  assert.match(out, /`b` stays as it is/)
  assert.match(
    (await project.type(2, 'resume', 'plan-1')).err,
    /^run plan-1 has finished \(completed\): nothing left to/,
  )
})

test('a folder of task files: each has its own status; with --no-write-back they stay as they are', async () => {
  const samples = sampleFolder('ccpm-epic')
  const files = Object.fromEntries(samples.map(({ file, text }) => [file, text]))
  await using repository = await makeRepository({ files })
  for (const flags of [['--no-write-back'], []]) {
    const { status, err } = await espalierHere(repository.top, [
      'run',
      'ccpm-epic',
      '--new',
      ...flags,
      '--command',
      AGENT,
    ])
    assert.equal(status, 0, err)
    for (const { file, text } of samples) {
      const done = text.replace(/^status: (open|in-progress)$/m, file.endsWith('epic.md') ? '$&' : 'status: closed')
      assert.equal(readFileSync(repository.at('repo', file), 'utf8'), flags.length > 0 ? text : done)
    }
    assert.equal(readdirSync(repository.at('repo', 'ccpm-epic')).length, samples.length)
  }
})

const BOXES = '# Tasks: Notes\n\n## Phase 1: Setup\n\n- [ ] T001 Write a note in note.txt\n'

for (const [box, commits] of [
  ['x', false],
  ['X', false],
  ['X', true],
] as const)
  test(`[${box}] of an agent that ticks its own box is not in the way of land, ${commits ? 'committed' : 'uncommitted'}`, async () => {
    await using project = await Project.open(BOXES, 'tasks.md')
    const { repository } = project
    const command = `cat > note.txt; sed -i 's/\\[ \\] T001/[${box}] T001/' tasks.md`
    await project.type(0, 'run', 'tasks.md', '--command', command)
    const ticked = BOXES.replace('[ ]', `[${box}]`)
    assert.equal(project.text, ticked)
    if (commits) repository.git('commit', '-qam', 'Note what is done')
    await project.type(0, 'land')
    assert.equal(repository.git('status', '--porcelain'), '')
    assert.equal(repository.git('show', 'main:tasks.md'), ticked.trimEnd())
    assert.match(repository.git('show', 'main:note.txt'), /^Espalier writes task statuses into `tasks\.md`: do not/m)
  })

test('an agent is told nothing of a plan that the run does not write into, or that lies elsewhere', async () => {
  await using project = await Project.open(BOXES, 'tasks.md')
  const { repository } = project
  await repository.write('espalier.yaml', 'tasks: [{id: t001, prompt: x}]\n')
  await repository.write('../outside/tasks.md', BOXES)
  const isTold = async (file: string) => {
    const { out } = await project.type(0, 'prompt', 't001', file)
    return out.includes('Espalier writes task statuses')
  }
  assert.deepEqual(
    [await isTold('tasks.md'), await isTold('espalier.yaml'), await isTold('../outside/tasks.md')],
    [true, false, false],
  )
  await repository.write('.espalier/config.yaml', 'writeBack: false\n')
  assert.equal(await isTold('tasks.md'), false)
})
