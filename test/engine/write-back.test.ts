// The status of tasks in the plan file, as a run goes on; here without one.
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { WriteBack } from '../../src/engine/write-back.ts'
import type { TaskStatus, TaskView } from '../../src/status.ts'
import { planOrigin } from '../../src/workloads/formats/write-back/plan-origin.ts'
import { openSource } from '../../src/workloads/plan-source.ts'
import { type Folder, temporaryFolder } from '../rig/repository.ts'
import { until } from '../rig/until.ts'

const TEXT = `\ufeff{
  "phases": [{ "phase": 1, "subtasks": [
    { "id": "A 1", "description": "Do a", "status": "pending" }, // first
    { "id": "B 2", "description": "Do b" },
  ] }]
}
`

class Follower implements AsyncDisposable {
  readonly file: string
  readonly told: string[] = []
  readonly writeBack: WriteBack
  readonly #folder: Folder

  private constructor(folder: Folder, text: string) {
    this.#folder = folder
    this.file = folder.at('plan.json')
    writeFileSync(this.file, text)
    const files = [{ file: this.file, text }]
    const source = openSource(files, this.file, {})
    assert.ok(source.ok)
    const writeBack = WriteBack.of(planOrigin(source.value, files, null), () => true)
    assert.ok(writeBack)
    this.writeBack = writeBack
    writeBack.tell = (message) => this.told.push(message)
  }

  static async open(text = TEXT): Promise<Follower> {
    return new Follower(await temporaryFolder(), text)
  }

  get text(): string {
    return readFileSync(this.file, 'utf8')
  }

  follow(id: string, status: TaskStatus): void {
    this.writeBack.follow([view(id, status)])
  }

  async settled(): Promise<string> {
    await this.writeBack.settled()
    return this.text
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.writeBack[Symbol.asyncDispose]()
    await this.#folder[Symbol.asyncDispose]()
  }
}

const ATTEMPT = { attempt: 1, slot: 1, base: '', startedAt: 0, finishedAt: null, outcome: null, failure: null }

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
  assert.deepEqual(follower.writeBack.trouble, [])
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

test('the word of a person stays, and is told of once', async () => {
  await using follower = await Follower.open()
  const changed = TEXT.replace('"pending"', '"blocked"')
  writeFileSync(follower.file, changed)
  follower.follow('a-1', 'running')
  assert.equal(await follower.settled(), changed)
  follower.follow('a-1', 'landed')
  follower.follow('b-2', 'landed')
  assert.match(await follower.settled(), /"A 1", "description": "Do a", "status": "blocked" }.*\n.*"completed"/)
  const message = `the status of \`A 1\` stays as it is in ${follower.file}: somebody has set it to \`blocked\` meanwhile`
  assert.deepEqual(follower.told, [message])
  assert.deepEqual(follower.writeBack.trouble, [message])
})

test('an edit that takes the status back is overwritten: it is the run’s', async () => {
  await using follower = await Follower.open()
  follower.follow('a-1', 'landed')
  await follower.settled()
  writeFileSync(follower.file, TEXT.replace('Do b', 'Do something else'))
  follower.follow('b-2', 'pending')
  assert.match(await follower.settled(), /"completed".*\n.*Do something else/)
})

test('a file in the middle of being saved is written as soon as it is whole', async () => {
  await using follower = await Follower.open()
  writeFileSync(follower.file, TEXT.slice(0, 60))
  follower.follow('a-1', 'running')
  await until('the trouble', () => follower.writeBack.trouble.length > 0)
  assert.equal(follower.text, TEXT.slice(0, 60))
  writeFileSync(follower.file, TEXT)
  await until('the status', () => follower.text.includes('in_progress'))
  assert.deepEqual(follower.told, [])
  await until('the end of the trouble', () => follower.writeBack.trouble.length === 0)
})

test('a file that is gone is told of once, and the others do not wait for it', async () => {
  await using follower = await Follower.open()
  rmSync(follower.file)
  follower.follow('a-1', 'running')
  await follower.writeBack.settled()
  follower.follow('a-1', 'landed')
  await follower.writeBack.settled()
  const message = `the status of tasks could not be written into ${follower.file}: it is not there any more`
  assert.deepEqual(follower.told, [message])
  writeFileSync(follower.file, TEXT)
  follower.follow('b-2', 'running')
  assert.match(await follower.settled(), /completed/)
  assert.deepEqual(follower.writeBack.trouble, [])
})
