// Runs of plans in other formats, and what they leave in the plan file.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalier, espalierHere, type Said, said, startEspalier } from '../../rig/espalier.ts'
import { makeRepository, type TestRepository } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'
import { sampleFolder } from '../../workloads/formats/sample.ts'

const FILE = 'implementation_plan.json'
const AGENT = 'cat >/dev/null; echo x > "$ESPALIER_TASK.txt"'

type Subtask = { id: string; status?: string; started_at?: string; completed_at?: string; notes?: string }

function planText(ids: string[], parallel_safe = true): string {
  const subtasks = ids.map((id) => ({ id, description: `Do ${id}`, status: 'pending' }))
  return `${JSON.stringify({ feature: 'plan', phases: [{ phase: 1, parallel_safe, subtasks }] }, null, 2)}\n`
}

function subtasksOf(path: string): Subtask[] {
  const plan = JSON.parse(readFileSync(path, 'utf8')) as { phases: { subtasks: Subtask[] }[] }
  return plan.phases.flatMap(({ subtasks }) => subtasks)
}

function statuses(path: string): Record<string, string | undefined> {
  return Object.fromEntries(subtasksOf(path).map(({ id, status }) => [id, status]))
}

/** An engine in a process of its own, which does not outlive a test that failed half-way. */
class Engine implements AsyncDisposable {
  readonly #child: ReturnType<typeof startEspalier>
  readonly ended: Promise<Said>

  constructor(cwd: string, args: string[]) {
    this.#child = startEspalier(cwd, args)
    this.ended = said(this.#child)
  }

  /** One that ends before has something to say. */
  async until(what: string, isThere: () => boolean): Promise<void> {
    let over: Said | null = null
    void this.ended.then((said) => {
      over = said
    })
    await until(what, () => isThere() || (over !== null && assert.fail(JSON.stringify(over))))
  }

  async kill(signal: NodeJS.Signals): Promise<Said> {
    this.#child.kill(signal)
    return await this.ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.kill('SIGKILL')
  }
}

/** Works at once on `a`, and on the others when there is the file `go`, or nothing any more of the test. */
function waitingAgent(repository: TestRepository): string {
  const [go, top] = [repository.at('go'), repository.top]
  return `until [ "$ESPALIER_TASK" = a ] || [ -e '${go}' ] || [ ! -d '${top}' ]; do sleep 0.02; done; ${AGENT}`
}

async function repositoryWith(text: string): Promise<TestRepository> {
  return await makeRepository({ files: { 'README.md': 'read me\n', [FILE]: text } })
}

test('an engine that is killed loses nothing: resume writes what is missing, and knows its own words', async () => {
  const text = planText(['a', 'b', 'd'], false)
  await using repository = await repositoryWith(text)
  const [file, go] = [repository.at('repo', FILE), repository.at('go')]
  const agent = waitingAgent(repository)
  await using killed = new Engine(repository.top, ['run', FILE, '--command', agent])
  await killed.until('the status of b', () => statuses(file).b === 'in_progress')
  assert.equal(statuses(file).a, 'completed')
  await killed.kill('SIGKILL')
  const { out: list } = await espalierHere(repository.top, ['status', '--all'])
  assert.match(list, /^plan-1 {2}interrupted {2}1\/3 done/)
  const written = readFileSync(file, 'utf8')
  assert.equal((await espalier(repository.top, ['plan', 'check', FILE])).status, 0)

  // As if it had been killed before it wrote anything; and somebody has changed a subtask that has not begun, and added one.
  const added = JSON.parse(text)
  added.phases[0].subtasks[2].files_to_create = ['d.txt']
  added.phases[0].subtasks.push({ id: 'c', description: 'Do c' })
  writeFileSync(file, JSON.stringify(added))
  await using resumed = new Engine(repository.top, ['resume', '--replan'])
  await resumed.until(
    'the status of both',
    () => statuses(file).a === 'completed' && statuses(file).b === 'in_progress',
  )
  assert.equal(subtasksOf(file)[0]?.completed_at, JSON.parse(written).phases[0].subtasks[0].completed_at)
  writeFileSync(go, '')
  const { status, err } = await resumed.ended
  assert.equal(status, 0, err)
  assert.equal(err, `${file} has changed since the run began:\n  + new: c\n  ~ changed: d\nplan changes applied\n`)
  assert.deepEqual(statuses(file), { a: 'completed', b: 'completed', d: 'completed', c: 'completed' })
  assert.ok(!readFileSync(file, 'utf8').includes('\n'), 'it is still on one line')
})

test('what a run has written is no change of its plan', async () => {
  await using repository = await repositoryWith(planText(['a', 'b'], false))
  const [file, go] = [repository.at('repo', FILE), repository.at('go')]
  const agent = waitingAgent(repository)
  await using first = new Engine(repository.top, ['run', FILE, '--command', agent])
  await first.until('the status of b', () => statuses(file).b === 'in_progress')
  assert.equal((await first.kill('SIGINT')).status, 130)
  assert.deepEqual(statuses(file), { a: 'completed', b: 'pending' })
  writeFileSync(go, '')
  const { status, err } = await espalier(repository.top, ['resume'])
  assert.deepEqual([status, err], [0, ''])
  assert.deepEqual(statuses(file), { a: 'completed', b: 'completed' })
})

test('what could not be written until the end is said everywhere, and resume writes it', async () => {
  const text = planText(['a', 'b'])
  await using repository = await repositoryWith(text)
  const file = repository.at('repo', FILE)
  const breaks = `${AGENT}; [ "$ESPALIER_TASK" = b ] || printf '{ "phases"' > '${file}'`
  const ended = await espalier(repository.top, ['run', FILE, '--command', breaks])
  assert.equal(ended.status, 0, ended.err)
  const times = [...ended.out.matchAll(/^ *([\d.]+)s {2}/gm)].map(([, time]) => Number(time))
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
    ended.out,
  )
  const why = `! the status of tasks could not be written into ${file}: line 1:`
  const next = /espalier resume plan-1 +write the task statuses/
  const said = [ended, await espalier(repository.top, ['status'])].map(({ out }) => out.replaceAll('\n  ', ' '))
  for (const out of said) {
    assert.ok(out.includes(why), out)
    assert.match(out, next)
  }

  // It is whole again, and one of the two is another task now.
  writeFileSync(file, text.replace('Do b', 'Do something else'))
  const dry = await espalier(repository.top, ['run', FILE, '--dry-run', '--command', AGENT])
  assert.match(
    dry.err,
    /warning: this run repeats `a`, which landed in run plan-1\. Instead: `espalier resume plan-1` \(write the task statuses/,
  )
  const resumed = await espalier(repository.top, ['resume', 'plan-1'])
  assert.equal(resumed.status, 0, resumed.err)
  assert.match(resumed.out, /its task statuses are in the plan file now, apart from b\n/)
  assert.match(resumed.err, /^the status of `b` stays as it is in .*: its description was changed during the run\n$/)
  assert.deepEqual(statuses(file), { a: 'completed', b: 'pending' })
  const status = await espalier(repository.top, ['status'])
  assert.doesNotMatch(status.out, next)
  assert.match(status.out, /`b` stays as it is/)
  const again = await espalier(repository.top, ['resume', 'plan-1'])
  assert.deepEqual([again.status, again.err], [2, 'run plan-1 has finished (completed): nothing left to resume\n'])
})

test('with --no-write-back the file stays as it is', async () => {
  const text = planText(['a'])
  await using repository = await repositoryWith(text)
  const { status, err } = await espalier(repository.top, ['run', FILE, '--no-write-back', '--command', AGENT])
  assert.equal(status, 0, err)
  assert.equal(readFileSync(repository.at('repo', FILE), 'utf8'), text)
})

test('a folder of task files: each has its own status', async () => {
  const samples = sampleFolder('ccpm-epic')
  await using repository = await makeRepository({
    files: Object.fromEntries(samples.map(({ file, text }) => [file, text])),
  })
  const { status, err } = await espalier(repository.top, ['run', 'ccpm-epic', '--command', AGENT])
  assert.equal(status, 0, err)
  for (const { file, text } of samples) {
    const now = readFileSync(repository.at('repo', file), 'utf8')
    assert.equal(now, text.replace(/^status: (open|in-progress)$/m, file.endsWith('epic.md') ? '$&' : 'status: closed'))
  }
  assert.equal(readdirSync(repository.at('repo', 'ccpm-epic')).length, samples.length)
})
