// The statuses of tasks in the plan file, as a run goes on; here without one.
import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { PlanFileStatus } from '../../../src/engine/plan-file/plan-file-status.ts'
import type { TaskStatus } from '../../../src/status.ts'
import type { Store } from '../../../src/store/store.ts'
import { planFileTexts } from '../../../src/unwritten-statuses.ts'
import type { UnwrittenStatus } from '../../../src/view.ts'
import { planFileTasks } from '../../../src/workloads/formats/status/plan-file-tasks.ts'
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
const HALF = TEXT.slice(0, 60)

const folder = await temporaryFolder()
after(() => folder[Symbol.asyncDispose]())
let count = 0

function fileOf(text: string): string {
  const file = folder.at(`plan-${count++}.json`)
  writeFileSync(file, text)
  return file
}

/**
 * A run's writer of statuses, with a store that holds notes only. With the notes of another it is the engine after it of the
 * same run, else another run. `says`: the hashes of the tasks' texts in the store.
 */
async function openStatus(file = fileOf(TEXT), notes = new Map<string, unknown>(), says?: string) {
  const files = [{ file, text: TEXT }]
  const source = openSource(files, file, {})
  const origin = source.ok && planFileTasks(source.value, files, null)
  assert.ok(origin)
  const open = origin.open.map((one) => ({ ...one, says: says ?? one.says }))
  const store = {
    note: async (_: string, name: string) => notes.get(name) ?? null,
    putNote: async (_: string, name: string, value: unknown) => void notes.set(name, structuredClone(value)),
  } as unknown as Store
  const status = await PlanFileStatus.open({ store, run: 'shop-1', isTask: () => true }, { ...origin, open })
  assert.ok(status)
  const told: string[] = []
  status.tell = (message) => told.push(message)
  const text = () => readFileSync(file, 'utf8')
  const follow = (a?: TaskStatus, b?: TaskStatus) =>
    status.follow([...(a ? [viewOf('a-1', a)] : []), ...(b ? [viewOf('b-2', b)] : [])])
  /** Of both tasks, as the file says it. */
  const statuses = () =>
    ['A 1', 'B 2'].map((name) => new RegExp(`"${name}".*"status": "(.*?)"`).exec(text())?.[1] ?? '-').join(' ')
  const settled = async (a?: TaskStatus, b?: TaskStatus) => {
    follow(a, b)
    await status.settled()
    return statuses()
  }
  return {
    ...{ file, notes, status, told, text, follow, statuses, settled },
    write: (now: string) => writeFileSync(file, now),
    /** What the file does not say, by the newest look, and by the note of it. */
    left: () => planFileTexts(status),
    noted: () => planFileTexts({ unwritten: (notes.get('unwritten') ?? undefined) as UnwrittenStatus | undefined }),
    [Symbol.asyncDispose]: () => status[Symbol.asyncDispose](),
  }
}

function viewOf(id: string, status: TaskStatus) {
  const hasBegun = !['pending', 'ready', 'blocked'].includes(status)
  const history = hasBegun ? [attemptOf({ summary: 'did it' })] : []
  return taskOf({ id, status, startedAt: hasBegun ? 0 : null, finishedAt: null, history })
}

test('what has begun comes into the file by itself, and the rest of it stays to the byte', async () => {
  await using run = await openStatus()
  await run.settled('ready', 'pending')
  assert.equal(run.text(), TEXT)
  run.follow('running')
  await until('the status', () => run.text() !== TEXT)
  const begun = '"status": "in_progress", "started_at": "1970-01-01T00:00:00.000Z"'
  assert.equal(run.text(), TEXT.replace('"status": "pending"', begun))
  await run.settled('landed', 'blocked')
  const done = `${begun.replace('in_progress', 'completed')}, "actual_output": "did it"`
  const ended = TEXT.replace('"status": "pending"', done).replace('"B 2",', '"B 2", "status": "blocked",')
  assert.equal(run.text(), ended)
  assert.deepEqual([run.left(), run.told], [[], []])
})

test('what is not written when it is let go is written then; after a takeover the other engine writes it', async () => {
  await using run = await openStatus()
  await using other = await openStatus(run.file)
  other.follow('failed')
  other.status.abandon()
  await other.settled()
  assert.equal(other.text(), TEXT)
  run.follow('landed')
  await run.status[Symbol.asyncDispose]()
  assert.equal(run.statuses(), 'completed -')
})

test('a person’s status and a changed text stay, each told once, until they are what the run knows again', async () => {
  await using run = await openStatus()
  const theirs = TEXT.replace('"pending"', '"blocked"').replace('Do b', 'Do something else')
  run.write(theirs)
  await run.settled('running', 'landed')
  assert.equal(run.text(), theirs)
  await run.settled('landed')
  assert.equal(run.text(), theirs)
  const stays = (id: string) => `the status of \`${id}\` stays as it is in ${run.file}`
  const messages = [
    `${stays('A 1')}: it says \`blocked\`, which this run did not write`,
    `${stays('B 2')}: its description was changed during the run`,
  ]
  assert.deepEqual([run.told, run.left(), run.noted()], [messages, messages, messages])
  run.write(TEXT)
  assert.equal(await run.settled(), 'completed completed')
  assert.deepEqual([run.left(), run.noted()], [[], []])
})

test('a run of a build that hashed other texts and kept no words writes its statuses all the same', async () => {
  const file = fileOf(TEXT.replace('"pending"', '"failed"').replace('Do b', 'Do something else'))
  await using run = await openStatus(file, new Map(), 'c0ffee')
  assert.equal(await run.settled('landed', 'landed'), 'completed completed')
  assert.deepEqual(run.told, [])
})

test('a task that somebody removed is told, and a status taken back is the run’s to write again', async () => {
  await using run = await openStatus()
  await run.settled('landed', 'landed')
  run.write(TEXT.replace(/.*"B 2".*\n/, ''))
  assert.equal(await run.settled(), 'completed -')
  assert.deepEqual(run.told, [`\`B 2\` is not in ${run.file} any more: its status is not written`])
})

test('what the run has written is its own to change, also by the engine after it; another run’s word is not', async () => {
  await using run = await openStatus()
  assert.equal(await run.settled('failed', 'blocked'), 'failed blocked')
  await using stranger = await openStatus(run.file)
  assert.equal(await stranger.settled('running'), 'failed blocked')
  assert.match(stranger.told.join(), /`A 1` stays as it is in .*: it says `failed`, which/)

  await using next = await openStatus(run.file, run.notes)
  assert.equal(await next.settled('running', 'pending'), 'in_progress pending')
  next.write(next.text().replace('"in_progress"', '"completed"'))
  assert.equal(await next.settled('failed'), 'completed pending', 'somebody has done it')
  assert.equal(next.told.length, 1)

  await using third = await openStatus(fileOf(TEXT.replace('"pending"', '"in_progress"')))
  assert.equal(await third.settled('landed'), 'completed -', 'whoever said that it has begun')
})

test('a file in the middle of being saved is written as soon as it is whole', async () => {
  await using run = await openStatus(fileOf(HALF))
  run.follow('running')
  await until('the trouble', () => run.left().length > 0)
  assert.equal(run.text(), HALF)
  run.write(TEXT)
  await until('the status', () => run.text().includes('in_progress'))
  await until('the end of the trouble', () => run.left().length === 0)

  run.write(HALF)
  const settled = run.settled()
  await until('a try at the end that failed', () => run.left().length > 0)
  run.write(TEXT)
  assert.equal(await settled, 'in_progress -')
  assert.deepEqual([run.left(), run.told], [[], []])
})

test('what could not be written at the end is told once and kept, until it is written', async () => {
  await using run = await openStatus(fileOf(HALF))
  run.follow('landed')
  const before = performance.now()
  await run.status.settled(300)
  assert.ok(performance.now() - before >= 300)
  assert.equal(run.told.length, 1)
  assert.deepEqual([run.left(), run.noted()], [run.told, run.told])
  assert.match(run.told.join(), /could not be written into .*\.json: line 3: this text has no closing quote$/)
  rmSync(run.file)
  await run.status.settled(0)
  assert.match(run.noted().join(), /\.json: it is not there any more$/)
  run.write(TEXT)
  assert.equal(await run.settled(), 'completed -')
  assert.deepEqual([run.noted(), run.told.length], [[], 1])
})

test("a person's word that the run would have written too stays theirs", async () => {
  await using run = await openStatus()
  await run.settled('running')
  run.write(run.text().replace('"in_progress"', '"blocked"'))
  assert.equal(await run.settled('blocked'), 'blocked -')
  assert.equal(await run.settled('landed'), 'blocked -')
  assert.match(run.left().join('\n'), /it says `blocked`, which this run did not write/)
})

test('words that could not be kept once are kept at the next look', async () => {
  await using run = await openStatus()
  const put = run.notes.set
  run.notes.set = () => {
    throw new Error('the disk is full')
  }
  await run.settled('failed')
  run.notes.set = put
  await run.settled()
  await using next = await openStatus(run.file, run.notes)
  assert.equal(await next.settled('landed'), 'completed -')
  assert.deepEqual(next.left(), [])
})
