// The status of tasks in the plan file, as a run goes on; here without one.
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { WriteBack } from '../../../src/engine/plan-file/write-back.ts'
import type { TaskStatus, TaskView } from '../../../src/status.ts'
import { type UnwrittenStatus, unwrittenLines } from '../../../src/unwritten-status.ts'
import {
  planOrigin,
  statusFileOf,
  withWordsLeft,
} from '../../../src/workloads/formats/write-back/plan-file-at-start.ts'
import type { StatusPhase } from '../../../src/workloads/formats/write-back/status-writer.ts'
import { openSource } from '../../../src/workloads/plan/source.ts'
import { type Folder, temporaryFolder } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'

const TEXT = `\ufeff{
  "phases": [{ "phase": 1, "subtasks": [
    { "id": "A 1", "description": "Do a", "status": "pending" }, // first
    { "id": "B 2", "description": "Do b" },
  ] }]
}
`

type Ended = Record<string, StatusPhase>

class Follower implements AsyncDisposable {
  readonly file: string
  readonly told: string[] = []
  /** What was to be remembered, the newest last. */
  readonly kept: UnwrittenStatus[] = []
  readonly writeBack: WriteBack
  readonly #folder: Folder

  private constructor(folder: Folder, text: string, ended: Ended) {
    this.#folder = folder
    this.file = folder.at('plan.json')
    writeFileSync(this.file, text)
    const files = [{ file: this.file, text }]
    const source = openSource(files, this.file, {})
    assert.ok(source.ok)
    const [origin, format] = [planOrigin(source.value, files, null), statusFileOf(source.value.format)]
    assert.ok(origin && format)
    const left = withWordsLeft(origin, format, {
      ended: new Map(Object.entries(ended)),
      byOthers: new Map(),
      unwritten: new Set(),
    })
    const writeBack = WriteBack.of(left, () => true)
    assert.ok(writeBack)
    this.writeBack = writeBack
    writeBack.tell = (message) => this.told.push(message)
    writeBack.keep = async (unwritten) => void this.kept.push(unwritten)
  }

  /** `ended`: of tasks that are tried again. */
  static async open(text = TEXT, ended: Ended = {}): Promise<Follower> {
    return new Follower(await temporaryFolder(), text, ended)
  }

  get text(): string {
    return readFileSync(this.file, 'utf8')
  }

  /** What the file does not say. */
  get left(): string[] {
    return unwrittenLines(this.writeBack.unwritten)
  }

  follow(id: string, status: TaskStatus): void {
    this.writeBack.follow([view(id, status)])
  }

  async settled(patienceMs?: number): Promise<string> {
    await this.writeBack.settled(patienceMs)
    return this.text
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.writeBack[Symbol.asyncDispose]()
    await this.#folder[Symbol.asyncDispose]()
  }
}

const ATTEMPT = {
  attempt: 1,
  worker: 'local',
  slot: 1,
  base: '',
  startedAt: 0,
  finishedAt: null,
  outcome: null,
  failure: null,
}

function view(id: string, status: TaskStatus): TaskView {
  const begun = !['pending', 'ready', 'blocked'].includes(status)
  const history = begun ? [{ ...ATTEMPT, commit: null, diff: null, usage: null, summary: 'did it' }] : []
  const times = { startedAt: begun ? 0 : null, finishedAt: null, durationMs: null, landedAt: null, retryAt: null }
  const facts = { outcome: null, landedCommit: null, failure: null, conflict: null, stalledSince: null }
  return { id, title: id, epic: null, needs: [], status, attempts: history.length, ...times, ...facts, history }
}

test('it comes into the file by itself, and the rest of it stays to the byte', async () => {
  await using follower = await Follower.open()
  follower.follow('a-1', 'running')
  await until('the status', () => follower.text !== TEXT)
  const begun = '"status": "in_progress", "started_at": "1970-01-01T00:00:00.000Z" }, // first'
  assert.equal(follower.text, TEXT.replace('"status": "pending" }, // first', begun))
  follower.follow('b-2', 'blocked')
  follower.follow('a-1', 'landed')
  const done = '"status": "completed", "started_at": "1970-01-01T00:00:00.000Z", "actual_output": "did it" }, // first'
  const after = TEXT.replace('"status": "pending" }, // first', done).replace('"B 2",', '"B 2", "status": "blocked",')
  assert.equal(await follower.settled(), after)
  assert.deepEqual(follower.left, [])
})

test('what has not begun is not mentioned', async () => {
  await using follower = await Follower.open()
  follower.follow('a-1', 'ready')
  assert.equal(await follower.settled(), TEXT)
})

test('what was not written when it is let go is written then', async () => {
  await using follower = await Follower.open()
  follower.follow('a-1', 'landed')
  await follower.writeBack[Symbol.asyncDispose]()
  assert.match(follower.text, /completed/)
})

test('what was not written when another engine takes over is left to that one', async () => {
  await using follower = await Follower.open()
  follower.follow('a-1', 'landed')
  follower.writeBack.abandon()
  await follower.settled()
  await follower.writeBack[Symbol.asyncDispose]()
  assert.equal(follower.text, TEXT)
})

test('the word of a person stays, and is told of once', async () => {
  await using follower = await Follower.open()
  const changed = TEXT.replace('"pending"', '"blocked"')
  writeFileSync(follower.file, changed)
  follower.follow('a-1', 'running')
  assert.equal(await follower.settled(), changed)
  follower.follow('a-1', 'landed')
  follower.follow('b-2', 'landed')
  assert.match(await follower.settled(), /"A 1", "description": "Do a", "status": "blocked" }.*\n.*"completed"/)
  const message = `the status of \`A 1\` stays as it is in ${follower.file}: somebody set it to \`blocked\` during the run`
  assert.deepEqual(follower.told, [message])
  assert.deepEqual(follower.left, [message])
})

test('an edit that takes the status back is overwritten: it is the run’s', async () => {
  await using follower = await Follower.open()
  follower.follow('a-1', 'landed')
  await follower.settled()
  writeFileSync(follower.file, TEXT.replace('Do b', 'Do something else'))
  follower.follow('b-2', 'pending')
  assert.match(await follower.settled(), /"completed".*\n.*Do something else/)
})

test('at the end the file is looked at once more, although nothing has happened since it was written', async () => {
  await using follower = await Follower.open()
  follower.follow('a-1', 'landed')
  const done = await follower.settled()
  writeFileSync(follower.file, TEXT)
  assert.equal(await follower.settled(), done)
})

test('what is tried again is to be done by the file, and from then on the old word is somebody’s', async () => {
  await using follower = await Follower.open(TEXT, { 'a-1': 'failed', 'b-2': 'blocked' })
  const left = TEXT.replace('"pending"', '"failed"').replace('"B 2",', '"B 2", "status": "blocked",')
  writeFileSync(follower.file, left)
  const origins: string[] = []
  follower.writeBack.keepOrigin = async (origin) => void origins.push(JSON.stringify(origin))
  follower.follow('b-2', 'pending')
  follower.follow('a-1', 'running')
  const open = await follower.settled()
  assert.match(open, /"A 1".*"in_progress".*\n.*"B 2", "status": "pending"/)
  assert.deepEqual(follower.told, [])
  const changed = open.replace('"B 2", "status": "pending"', '"B 2", "status": "blocked"')
  writeFileSync(follower.file, changed)
  follower.follow('b-2', 'running')
  assert.equal(await follower.settled(), changed)
  assert.deepEqual([origins.length, /left/.test(origins.join())], [1, false], 'also for an engine that takes over')
  assert.match(follower.told.join(), /^the status of `B 2` stays as it is in .*: somebody set it to `blocked`/)
})

test('what is tried again is the run’s still after somebody has changed what is to be done, and back', async () => {
  const left = TEXT.replace('"pending"', '"failed"')
  await using follower = await Follower.open(TEXT, { 'a-1': 'failed' })
  writeFileSync(follower.file, left.replace('Do a', 'Do something else'))
  follower.follow('a-1', 'landed')
  assert.match(await follower.settled(), /"failed"/)
  writeFileSync(follower.file, left)
  follower.follow('b-2', 'landed')
  assert.match(await follower.settled(), /"A 1".*"completed"/)
  assert.deepEqual(follower.left, [])
})

test('two runs of the same file write at the same time, each its own tasks', async () => {
  await using first = await Follower.open()
  const files = [{ file: first.file, text: TEXT }]
  const source = openSource(files, first.file, {})
  assert.ok(source.ok)
  await using second = WriteBack.of(planOrigin(source.value, files, null), () => true)
  for (const status of ['running', 'landed'] as const) {
    first.follow('a-1', status)
    second?.follow([view('b-2', status)])
    await Promise.all([first.settled(), second?.settled()])
  }
  assert.match(first.text, /"A 1".*"completed".*\n.*"B 2".*"completed"/)
  assert.deepEqual([first.left, second?.unwritten], [[], { files: [], conflicts: [] }])
})

test('a file in the middle of being saved is written as soon as it is whole', async () => {
  await using follower = await Follower.open()
  writeFileSync(follower.file, TEXT.slice(0, 60))
  follower.follow('a-1', 'running')
  await until('the trouble', () => follower.left.length > 0)
  assert.equal(follower.text, TEXT.slice(0, 60))
  writeFileSync(follower.file, TEXT)
  await until('the status', () => follower.text.includes('in_progress'))
  assert.deepEqual(follower.told, [])
  await until('the end of the trouble', () => follower.left.length === 0)
})

test('at the end it is waited for, until the file is whole again', async () => {
  await using follower = await Follower.open()
  writeFileSync(follower.file, TEXT.slice(0, 60))
  follower.follow('a-1', 'landed')
  const settled = follower.settled()
  await until('a try that failed', () => follower.left.length > 0)
  writeFileSync(follower.file, TEXT)
  assert.match(await settled, /completed/)
  assert.deepEqual([follower.left, follower.told], [[], []])
})

test('what could not be written in that time is told and remembered, until it is written', async () => {
  await using follower = await Follower.open()
  writeFileSync(follower.file, TEXT.slice(0, 60))
  follower.follow('a-1', 'landed')
  const before = performance.now()
  await follower.settled(300)
  assert.ok(performance.now() - before >= 300)
  const { files, conflicts } = follower.kept.at(-1) ?? assert.fail('nothing is remembered')
  assert.deepEqual([files.map(({ file }) => file), conflicts], [[follower.file], []])
  assert.equal(follower.told.length, 1)
  assert.deepEqual(follower.left, follower.told)
  assert.match(
    follower.told[0] ?? '',
    /could not be written into .*plan\.json: line 3: this text has no closing quote$/,
  )

  writeFileSync(follower.file, TEXT)
  follower.follow('b-2', 'running')
  assert.match(await follower.settled(), /completed/)
  assert.deepEqual(follower.kept.at(-1), { files: [], conflicts: [] })
})

test('the word of a person is remembered for as long as it stands', async () => {
  await using follower = await Follower.open()
  writeFileSync(follower.file, TEXT.replace('Do a', 'Do something else'))
  follower.follow('a-1', 'landed')
  await follower.settled()
  const message = `the status of \`A 1\` stays as it is in ${follower.file}: its description was changed during the run`
  assert.deepEqual(follower.kept.at(-1), { files: [], conflicts: [{ file: follower.file, task: 'A 1', message }] })
  writeFileSync(follower.file, TEXT)
  follower.follow('b-2', 'landed')
  assert.match(await follower.settled(), /completed/)
  assert.deepEqual(follower.kept.at(-1), { files: [], conflicts: [] })
})

test('a file that is gone is told of once, and the others do not wait for it', async () => {
  await using follower = await Follower.open()
  rmSync(follower.file)
  follower.follow('a-1', 'running')
  await follower.writeBack.settled(0)
  follower.follow('a-1', 'landed')
  await follower.writeBack.settled(0)
  const message = `the status of tasks could not be written into ${follower.file}: it is not there any more`
  assert.deepEqual(follower.told, [message])
  writeFileSync(follower.file, TEXT)
  follower.follow('b-2', 'running')
  assert.match(await follower.settled(), /completed/)
  assert.deepEqual(follower.left, [])
})
