// The statuses of tasks in the plan file, as a run goes on; here without one.
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { PlanFileStatus } from '../../../src/engine/plan-file/plan-file-status.ts'
import type { TaskStatus } from '../../../src/status.ts'
import type { Store } from '../../../src/store/store.ts'
import { planFileTexts } from '../../../src/unwritten-statuses.ts'
import type { TaskView, UnwrittenStatus } from '../../../src/view.ts'
import { type PlanFileTasks, planFileTasks } from '../../../src/workloads/formats/status/plan-file-tasks.ts'
import { openSource } from '../../../src/workloads/plan/translate-format.ts'
import { attemptOf, taskOf } from '../../reports/sample.ts'
import { temporaryFolder } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'

const TEXT = `\ufeff{
  "phases": [{ "phase": 1, "subtasks": [
    { "id": "A 1", "description": "Do a", "status": "pending" }, // first
    { "id": "B 2", "description": "Do b" },
  ] }]
}
`

/** A run's writer of statuses, with a store that holds notes only. */
class Follower implements AsyncDisposable {
  readonly file: string
  readonly told: string[] = []
  readonly notes: Map<string, unknown>
  readonly status: PlanFileStatus
  readonly #after: () => Promise<void>

  private constructor(file: string, notes: Map<string, unknown>, status: PlanFileStatus, after: () => Promise<void>) {
    this.file = file
    this.notes = notes
    this.status = status
    this.#after = after
    status.tell = (message) => this.told.push(message)
  }

  static async open(text = TEXT): Promise<Follower> {
    const folder = await temporaryFolder()
    const file = folder.at('plan.json')
    writeFileSync(file, text)
    return await Follower.at(file, new Map(), () => folder[Symbol.asyncDispose]())
  }

  /** Another engine of the same run where it has the same notes, else another run. `kept`: the tasks as its store has them. */
  static async at(
    file: string,
    notes = new Map<string, unknown>(),
    after = async () => {},
    kept = (tasks: PlanFileTasks | null) => tasks,
  ): Promise<Follower> {
    const files = [{ file, text: TEXT }]
    const source = openSource(files, file, {})
    assert.ok(source.ok)
    const store = {
      note: async (_: string, name: string) => notes.get(name) ?? null,
      putNote: async (_: string, name: string, value: unknown) => void notes.set(name, structuredClone(value)),
    } as unknown as Store
    const of = { store, run: 'shop-1', isTask: () => true }
    const status = await PlanFileStatus.open(of, kept(planFileTasks(source.value, files, null)))
    assert.ok(status)
    return new Follower(file, notes, status, after)
  }

  get text(): string {
    return readFileSync(this.file, 'utf8')
  }

  /** What the file does not say, by the newest look and by the note that was kept. */
  get left(): string[] {
    return planFileTexts(this.status)
  }

  get kept(): string[] {
    const none = { files: [], conflicts: [] }
    return planFileTexts({ unwritten: (this.notes.get('unwritten') ?? none) as UnwrittenStatus })
  }

  follow(id: string, status: TaskStatus): void {
    this.status.follow([view(id, status)])
  }

  async settled(patienceMs?: number): Promise<string> {
    await this.status.settled(patienceMs)
    return this.text
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.status[Symbol.asyncDispose]()
    await this.#after()
  }
}

function view(id: string, status: TaskStatus): TaskView {
  const hasBegun = !['pending', 'ready', 'blocked'].includes(status)
  const history = hasBegun ? [attemptOf({ summary: 'did it' })] : []
  return taskOf({ id, status, startedAt: hasBegun ? 0 : null, finishedAt: null, history })
}

const task = (name: 'A 1' | 'B 2', status: string) => new RegExp(`"${name}".*"status": "${status}"`)

test('it comes into the file by itself, and the rest of it stays to the byte', async () => {
  await using follower = await Follower.open()
  follower.follow('a-1', 'running')
  await until('the status', () => follower.text !== TEXT)
  const begun = '"status": "in_progress", "started_at": "1970-01-01T00:00:00.000Z"'
  assert.equal(follower.text, TEXT.replace('"status": "pending"', begun))
  follower.follow('b-2', 'blocked')
  follower.follow('a-1', 'landed')
  const done = `${begun.replace('in_progress', 'completed')}, "actual_output": "did it"`
  const after = TEXT.replace('"status": "pending"', done).replace('"B 2",', '"B 2", "status": "blocked",')
  assert.equal(await follower.settled(), after)
  assert.deepEqual([follower.left, follower.told], [[], []])
})

test('what has not begun is not mentioned', async () => {
  await using follower = await Follower.open()
  follower.follow('a-1', 'ready')
  assert.equal(await follower.settled(), TEXT)
})

test('what is not written when it is let go is written then; after a takeover the other engine writes it', async () => {
  await using follower = await Follower.open()
  await using other = await Follower.at(follower.file)
  other.follow('a-1', 'failed')
  other.status.abandon()
  await other.settled()
  assert.equal(other.text, TEXT)
  follower.follow('a-1', 'landed')
  await follower.status[Symbol.asyncDispose]()
  assert.match(follower.text, task('A 1', 'completed'))
})

test('a person’s status and a changed text stay, each told once, until they are what the run knows again', async () => {
  await using follower = await Follower.open()
  const theirs = TEXT.replace('"pending"', '"blocked"').replace('Do b', 'Do something else')
  writeFileSync(follower.file, theirs)
  follower.follow('a-1', 'running')
  follower.follow('b-2', 'landed')
  assert.equal(await follower.settled(), theirs)
  follower.follow('a-1', 'landed')
  assert.equal(await follower.settled(), theirs)
  const stays = (id: string) => `the status of \`${id}\` stays as it is in ${follower.file}`
  const messages = [
    `${stays('A 1')}: it says \`blocked\`, which this run did not write`,
    `${stays('B 2')}: its description was changed during the run`,
  ]
  assert.deepEqual([follower.told, follower.left, follower.kept], [messages, messages, messages])
  writeFileSync(follower.file, TEXT)
  const after = await follower.settled()
  assert.match(after, task('A 1', 'completed'))
  assert.match(after, task('B 2', 'completed'))
  assert.deepEqual([follower.left, follower.kept], [[], []])
})

test('a run of a build that hashed other texts and kept no words writes its statuses all the same', async () => {
  await using begun = await Follower.open(TEXT.replace('"pending"', '"failed"').replace('Do b', 'Do something else'))
  const older = (tasks: PlanFileTasks | null) =>
    tasks && { ...tasks, open: tasks.open.map((one) => ({ ...one, says: 'c0ffee' })) }
  await using follower = await Follower.at(begun.file, new Map(), async () => {}, older)
  follower.follow('a-1', 'landed')
  follower.follow('b-2', 'landed')
  const after = await follower.settled()
  assert.match(after, task('A 1', 'completed'))
  assert.match(after, task('B 2', 'completed'))
  assert.deepEqual(follower.told, [])
})

test('a task that somebody removed is told, and a status taken back is the run’s to write again', async () => {
  await using follower = await Follower.open()
  follower.follow('a-1', 'landed')
  follower.follow('b-2', 'landed')
  await follower.settled()
  writeFileSync(follower.file, TEXT.replace(/.*"B 2".*\n/, ''))
  assert.match(await follower.settled(), task('A 1', 'completed'))
  assert.deepEqual(follower.told, [`\`B 2\` is not in ${follower.file} any more: its status is not written`])
})

test('what the run has written is its own to change, also by the engine after it; another run’s word is not', async () => {
  await using follower = await Follower.open()
  follower.follow('a-1', 'failed')
  follower.follow('b-2', 'blocked')
  const ended = await follower.settled()
  assert.match(ended, task('B 2', 'blocked'))
  await using stranger = await Follower.at(follower.file)
  stranger.follow('a-1', 'running')
  assert.equal(await stranger.settled(), ended)
  assert.match(stranger.told.join(), /`A 1` stays as it is in .*: it says `failed`, which/)

  await using next = await Follower.at(follower.file, follower.notes)
  next.follow('a-1', 'running')
  next.follow('b-2', 'pending')
  const again = await next.settled()
  assert.match(again, task('A 1', 'in_progress'))
  assert.match(again, task('B 2', 'pending'))
  writeFileSync(next.file, again.replace('"in_progress"', '"completed"'))
  next.follow('a-1', 'failed')
  assert.match(await next.settled(), task('A 1', 'completed'), 'somebody has done it')
  assert.equal(next.told.length, 1)
})

test('two runs of the same file write at the same time, each its own tasks', async () => {
  await using first = await Follower.open()
  await using second = await Follower.at(first.file)
  for (const status of ['running', 'landed'] as const) {
    first.follow('a-1', status)
    second.follow('b-2', status)
    await Promise.all([first.settled(), second.settled()])
  }
  assert.match(first.text, task('A 1', 'completed'))
  assert.match(first.text, task('B 2', 'completed'))
  assert.deepEqual([first.left, second.left], [[], []])
})

test('a file in the middle of being saved is written as soon as it is whole', async () => {
  await using follower = await Follower.open()
  writeFileSync(follower.file, TEXT.slice(0, 60))
  follower.follow('a-1', 'running')
  await until('the trouble', () => follower.left.length > 0)
  assert.equal(follower.text, TEXT.slice(0, 60))
  writeFileSync(follower.file, TEXT)
  await until('the status', () => follower.text.includes('in_progress'))
  await until('the end of the trouble', () => follower.left.length === 0)

  writeFileSync(follower.file, TEXT.slice(0, 60))
  const settled = follower.settled()
  await until('a try at the end that failed', () => follower.left.length > 0)
  writeFileSync(follower.file, TEXT)
  assert.match(await settled, task('A 1', 'in_progress'))
  assert.deepEqual([follower.left, follower.told], [[], []])
})

test('what could not be written at the end is told once and kept, until it is written', async () => {
  await using follower = await Follower.open()
  writeFileSync(follower.file, TEXT.slice(0, 60))
  follower.follow('a-1', 'landed')
  const before = performance.now()
  await follower.settled(300)
  assert.ok(performance.now() - before >= 300)
  assert.equal(follower.told.length, 1)
  assert.deepEqual([follower.left, follower.kept], [follower.told, follower.told])
  assert.match(follower.told.join(), /could not be written into .*plan\.json: line 3: this text has no closing quote$/)
  rmSync(follower.file)
  await follower.status.settled(0)
  assert.match(follower.kept.join(), /plan\.json: it is not there any more$/)
  writeFileSync(follower.file, TEXT)
  assert.match(await follower.settled(), task('A 1', 'completed'))
  assert.deepEqual([follower.kept, follower.told.length], [[], 1])
})

test("a person's word that the run would have written too stays theirs", async () => {
  await using follower = await Follower.open()
  follower.follow('a-1', 'running')
  await follower.settled()
  writeFileSync(follower.file, follower.text.replace('"in_progress"', '"blocked"'))
  follower.follow('a-1', 'blocked')
  const theirs = await follower.settled()
  assert.match(theirs, task('A 1', 'blocked'))
  follower.follow('a-1', 'landed')
  assert.match(await follower.settled(), task('A 1', 'blocked'))
  assert.match(follower.left.join('\n'), /it says `blocked`, which this run did not write/)
})

test('words that could not be kept once are kept at the next look', async () => {
  await using follower = await Follower.open()
  const put = follower.notes.set
  follower.notes.set = () => {
    throw new Error('the disk is full')
  }
  follower.follow('a-1', 'failed')
  await follower.settled()
  follower.notes.set = put
  await follower.settled()
  await using next = await Follower.at(follower.file, follower.notes)
  next.follow('a-1', 'landed')
  assert.match(await next.settled(), task('A 1', 'completed'))
  assert.deepEqual(next.left, [])
})
