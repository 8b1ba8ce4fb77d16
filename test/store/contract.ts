// What every store has to do, whatever database is behind it. A test file calls this with a way to open one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../src/config.ts'
import type { Event, Fact, RequestedFact } from '../../src/event.ts'
import type { Known, Lesson } from '../../src/learning-records.ts'
import type { TaskStatus } from '../../src/status.ts'
import type { Store } from '../../src/store/store.ts'
import type { RunRecord } from '../../src/store/views.ts'
import { NO_USAGE } from '../../src/usage.ts'
import type { RunSummary, TaskView } from '../../src/view.ts'
import { experienceOf, lessonOf } from '../learning/sample.ts'
import { makePlan } from '../rig/plan.ts'

export type StoreRig = AsyncDisposable & {
  /** Another connection to the same, empty at first, database. */
  open(): Promise<Store>
  /** Starts a process that appends events to run `r` one at a time and prints each number once it is acknowledged. */
  startWriter(): WriterProcess
}

export type WriterProcess = { acknowledged: number[]; saw(seq: number): Promise<void>; kill(): Promise<void> }

export const BASE = 'a'.repeat(40)

export function newRun(id = 'r', createdAt = 1): RunRecord {
  const plan = makePlan([{ id: 'a', run: 'true' }])
  return { id, name: 'plan', repo: '/repo', planFile: null, createdAt, plan, settings: DEFAULT_SETTINGS }
}

export function event(seq: number, fact: Fact = { type: 'run.interrupted', request: null }): Event {
  return { ...fact, seq, at: 1_000 + seq }
}

function put(known: Known, lesson: Lesson): string {
  known.set(lesson.id, lesson)
  return lesson.id
}

/** A summary that can be told apart by its number. */
export function summary(run: string, number: number): RunSummary {
  const counts = { total: 1, pending: 1, ready: 0, running: 0, landing: 0, landed: 0, passed: 0, failed: 0, blocked: 0 }
  return {
    run,
    name: 'plan',
    status: 'running',
    resumable: true,
    repo: '/repo',
    enginePid: 1,
    branch: `espalier/${run}`,
    base: BASE,
    head: BASE,
    startedAt: number,
    finishedAt: null,
    slots: 1,
    schedule: 'eager',
    counts: { ...counts, conflict: 0, cancelled: 0 },
    usage: NO_USAGE,
  }
}

export function view(id: string, status: TaskStatus): TaskView {
  const times = { startedAt: null, finishedAt: null, durationMs: null, landedCommit: null, landedAt: null }
  const rest = {
    outcome: null,
    attempts: 0,
    failure: null,
    conflict: null,
    retryAt: null,
    stalledSince: null,
    history: [],
  }
  return { id, title: id, epic: null, needs: [], status, ...times, ...rest }
}

export function storeContract(name: string, makeRig: () => Promise<StoreRig>): void {
  test(`${name}: events come back as they were written, in order, from any number on`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.createRun(newRun())
    const failure = { reason: 'conflict' as const, message: 'ünïcode\n"quoted"', paths: ['a b', "c'd"] }
    const events = [
      event(1, { type: 'run.cancelled', request: 4 }),
      event(2, { type: 'landing.refused', tasks: ['a'], onto: BASE, failure, retry: true }),
      event(3),
    ]
    await store.append('r', events.slice(0, 2), { run: summary('r', 1), tasks: [] })
    await store.append('r', events.slice(2), { run: summary('r', 2), tasks: [] })
    assert.deepEqual(await store.events('r'), events)
    assert.deepEqual(await store.events('r', 2), events.slice(2))
    assert.deepEqual(await store.events('r', 3), [])
    assert.deepEqual(await store.events('nobody'), [])
  })

  test(`${name}: a run comes back as it was created, and is known before its first event`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.createRun({ ...newRun(), planFile: 'plan.yaml' })
    const { plan } = newRun()
    assert.deepEqual(await store.run('r'), { ...newRun(), planFile: 'plan.yaml' })
    assert.equal(await store.run('nobody'), null)
    assert.deepEqual(await store.runIds(), ['r'])
    assert.deepEqual(await store.runs(), [])
    assert.equal(await store.view('r'), null)
    await assert.rejects(store.createRun(newRun()))
    const next = makePlan([{ id: 'b', run: 'true' }])
    await store.append('r', [event(1, { type: 'run.replanned', plan: next })], { run: summary('r', 1), tasks: [] })
    const both = [(await store.run('r'))?.plan, await store.currentPlan('r')]
    assert.deepEqual(both, [plan, next], 'once it has changed')
    assert.deepEqual(await store.runs(), [{ ...summary('r', 1), planFile: 'plan.yaml' }], 'lists say what was run')
  })

  test(`${name}: the plan of a run has what was added to it, since it was last changed as a whole`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.createRun(newRun())
    const more = (...ids: string[]) => makePlan(ids.map((id) => ({ id, run: 'true' }))).tasks
    const added = (seq: number, ...ids: string[]) =>
      event(seq, { type: 'tasks.added', tasks: more(...ids), epics: [{ id: `e${seq}`, title: '', needs: [] }] })
    const now = async () => {
      const { tasks = [], epics = [] } = (await store.currentPlan('r')) ?? {}
      return [...tasks, ...epics].map(({ id }) => id)
    }
    await store.append('r', [added(1, 'b', 'c')], { run: summary('r', 1), tasks: [] })
    await store.append('r', [added(2, 'd')], { run: summary('r', 2), tasks: [] })
    assert.deepEqual(await now(), ['a', 'b', 'c', 'd', 'e1', 'e2'])
    const plan = makePlan([{ id: 'b', run: 'true' }])
    const replanned = event(3, { type: 'run.replanned', plan })
    await store.append('r', [replanned, added(4, 'x')], { run: summary('r', 3), tasks: [] })
    assert.deepEqual(await now(), ['b', 'x', 'e4'])
    assert.deepEqual((await store.run('r'))?.plan, newRun().plan, 'as it began')
    await assert.rejects(
      store.append(
        'r',
        [event(5, { type: 'tasks.added', tasks: [{ ...more('y')[0], id: 'no/name' } as never], epics: [] })],
        {
          ...{ run: summary('r', 4), tasks: [] },
        },
      ),
      'checked when it is written',
    )
  })

  test(`${name}: views are those of the last append; runs are listed newest first`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    for (const [index, id] of ['r', 's'].entries()) {
      await store.createRun(newRun(id, index))
      await store.append(id, [event(1)], { run: summary(id, 1), tasks: [view('a', 'running'), view('b', 'ready')] })
    }
    await store.append('r', [event(2)], { run: summary('r', 2), tasks: [view('a', 'landed')] })
    assert.deepEqual(await store.view('r'), summary('r', 2))
    assert.deepEqual(
      (await store.runs()).map((run) => run.run),
      ['s', 'r'],
    )
    const tasks = [...(await store.tasks('r')).values()]
    assert.deepEqual(tasks.map(({ id, status }) => `${id} ${status}`).sort(), ['a landed', 'b ready'])
  })

  test(`${name}: a writer whose number is taken is fenced, and nothing of that append is kept`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await using replaced = await rig.open()
    await store.createRun(newRun())
    await store.append('r', [event(1), event(2)], { run: summary('r', 2), tasks: [view('a', 'running')] })
    const late = { run: summary('r', 99), tasks: [view('a', 'failed'), view('b', 'failed')] }
    for (const taken of [[event(2)], [event(2), event(3)], [event(3), event(2)]])
      assert.equal(await replaced.append('r', taken, late), 'fenced')
    assert.equal((await store.events('r')).length, 2)
    assert.deepEqual(await store.view('r'), summary('r', 2))
    assert.deepEqual([...(await store.tasks('r')).keys()], ['a'])
    assert.equal(await store.append('r', [event(3)], { run: summary('r', 3), tasks: [] }), 'written')
  })

  test(`${name}: an event that is none is refused, and so is one of a run that is not there`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.createRun(newRun())
    const nonsense = { ...event(1), type: 'attempt.started', task: 'a' } as unknown as Event
    await assert.rejects(store.append('r', [nonsense], { run: summary('r', 1), tasks: [] }))
    await assert.rejects(store.append('nobody', [event(1)], { run: summary('nobody', 1), tasks: [] }))
    assert.deepEqual(await store.events('r'), [])
  })

  test(`${name}: requests are facts, numbered upwards, and read from any number on`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await using elsewhere = await rig.open()
    for (const id of ['r', 's']) await store.createRun(newRun(id))
    const left: RequestedFact[] = [
      { type: 'task.cancelled', task: 'a', request: null },
      { type: 'task.resolved', task: 'a', conflict: BASE, commit: null, diff: null, request: null },
      {
        ...{ type: 'attempt.noted', task: 'a', attempt: 1, kind: 'issue', request: null },
        ...{ text: 'ünïcode\n"quoted"', details: 'more' },
      },
      { type: 'attempt.asked', task: 'a', attempt: 2, paths: ['src/**', 'a b'], holder: null, request: null },
      { type: 'attempt.spent', task: 'a', attempt: 2, costUsd: 1.5 },
      FINISHED,
    ]
    await elsewhere.request('s', { type: 'run.cancelled', request: null })
    const ids: number[] = []
    for (const fact of left) ids.push(await elsewhere.request('r', fact))
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => a - b),
    )
    const expected = left.map((fact, n) => ({
      id: ids[n],
      fact: 'request' in fact ? { ...fact, request: ids[n] } : fact,
    }))
    assert.deepEqual(await store.requests('r', 0), expected)
    assert.deepEqual(await store.requests('r', ids[1] as number), expected.slice(2))
    assert.deepEqual(await store.requests('r', ids.at(-1) as number), [])
  })

  test(`${name}: a request that is no fact, or not one to ask for, is refused when it is read`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.createRun(newRun())
    await store.request('r', { type: 'run.finished', status: 'completed' } as unknown as RequestedFact)
    await assert.rejects(store.requests('r', 0), /request 1 makes no sense/)
  })

  test(`${name}: requests that an older version left are read as facts`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.createRun(newRun())
    const spent = { type: 'attempt.spent', task: 'a', attempt: 2, costUsd: 1.5 }
    const pairs: [older: Record<string, unknown>, fact: Record<string, unknown>][] = [
      [{ type: 'cancel', task: null }, { type: 'run.cancelled' }],
      [
        { type: 'cancel', task: 'a' },
        { type: 'task.cancelled', task: 'a' },
      ],
      [
        { type: 'slots', slots: 3 },
        { type: 'slots.changed', slots: 3 },
      ],
      [
        { type: 'priority', task: 'a', priority: 2 },
        { type: 'priority.changed', task: 'a', priority: 2 },
      ],
      [
        { type: 'resolve', task: 'a', conflict: BASE, commit: null, diff: null },
        { type: 'task.resolved', task: 'a', conflict: BASE, commit: null, diff: null },
      ],
      [
        { type: 'note', task: 'a', attempt: 2, kind: 'progress', text: 'half way' },
        { type: 'attempt.noted', task: 'a', attempt: 2, kind: 'progress', text: 'half way' },
      ],
      [
        { type: 'claim', task: 'a', attempt: 2, paths: ['x'] },
        { type: 'attempt.asked', task: 'a', attempt: 2, paths: ['x'], holder: null },
      ],
      [{ type: 'report', fact: spent }, spent],
      [
        { type: 'deliver', fact: FINISHED, isNew: true },
        { ...FINISHED, isNew: true },
      ],
    ]
    const ids: number[] = []
    for (const [older] of pairs) ids.push(await store.request('r', older as unknown as RequestedFact))
    const hasNumber = (type: unknown) => !['attempt.spent', 'attempt.finished'].includes(String(type))
    assert.deepEqual(
      await store.requests('r', 0),
      pairs.map(([, fact], n) => ({ id: ids[n], fact: hasNumber(fact.type) ? { ...fact, request: ids[n] } : fact })),
    )
  })

  test(`${name}: the first events alone, one task, and the tasks of one status`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.createRun(newRun())
    const events = [event(1), event(2), event(3)]
    const tasks = [view('a', 'running'), view('b', 'landed'), view('c', 'running')]
    await store.append('r', events, { run: summary('r', 1), tasks })
    assert.deepEqual(await store.events('r', 0, 1), events.slice(0, 1))
    assert.deepEqual(await store.events('r', 1, 1), events.slice(1, 2))
    assert.deepEqual(await store.task('r', 'b'), view('b', 'landed'))
    assert.equal(await store.task('r', 'none'), null)
    assert.deepEqual([...(await store.tasks('r', 'running')).keys()].sort(), ['a', 'c'])
    assert.equal((await store.tasks('r')).size, 3)
  })

  test(`${name}: the tasks that have changed since a cursor, each as it is now`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.createRun(newRun())
    await store.append('r', [event(1)], { run: summary('r', 1), tasks: [view('a', 'running'), view('b', 'ready')] })
    const first = await store.changedTasks('r', 0)
    assert.deepEqual(first.tasks.map(({ id }) => id).sort(), ['a', 'b'])
    assert.deepEqual((await store.changedTasks('r', first.cursor)).tasks, [])
    await store.append('r', [event(2)], { run: summary('r', 2), tasks: [view('b', 'running')] })
    await store.append('r', [event(3)], { run: summary('r', 3), tasks: [view('b', 'landed')] })
    const second = await store.changedTasks('r', first.cursor)
    assert.deepEqual(second.tasks, [view('b', 'landed')])
    // Time alone can change a task, too.
    await store.append('r', [], { run: summary('r', 3), tasks: [view('a', 'ready')] })
    assert.deepEqual((await store.changedTasks('r', second.cursor)).tasks, [view('a', 'ready')])
  })

  test(`${name}: what has passed is remembered by tree and commands, and outlives the run and the process`, async () => {
    await using rig = await makeRig()
    const passed = { tree: 't1', commands: 'c1' }
    {
      await using store = await rig.open()
      await store.createRun(newRun('r'))
      assert.equal(await store.hasPassed(passed), false)
      await store.rememberPassed(passed)
      await store.rememberPassed(passed)
      await store.deleteRun('r')
    }
    await using again = await rig.open()
    assert.equal(await again.hasPassed(passed), true)
    assert.equal(await again.hasPassed({ tree: 't2', commands: 'c1' }), false)
    assert.equal(await again.hasPassed({ tree: 't1', commands: 'c2' }), false)
  })

  test(`${name}: a note is what was put last, of each run its own`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await using reader = await rig.open()
    for (const id of ['r', 's']) await store.createRun(newRun(id))
    assert.equal(await reader.note('r', 'plan'), null)
    await store.putNote('r', 'plan', { tasks: ['ü', null] })
    await store.putNote('s', 'plan', 7)
    await store.putNote('r', 'other', [])
    assert.deepEqual(await reader.note('r', 'plan'), { tasks: ['ü', null] })
    assert.deepEqual([await reader.note('s', 'plan'), await reader.note('r', 'other')], [7, []])
    await store.putNote('r', 'plan', false)
    assert.equal(await reader.note('r', 'plan'), false)
    await store.putNote('r', 'plan', null)
    assert.deepEqual([await reader.note('r', 'plan'), await reader.note('s', 'plan')], [null, 7])
    await assert.rejects(store.putNote('nobody', 'plan', 1))
  })

  test(`${name}: a deleted run leaves nothing, and the others stay`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    for (const id of ['r', 's']) {
      await store.createRun(newRun(id))
      await store.putNote(id, 'plan', 1)
      await store.append(id, [event(1)], { run: summary(id, 1), tasks: [view('a', 'ready')] })
      await store.request(id, { type: 'run.cancelled', request: null })
    }
    await store.deleteRun('r')
    await store.compact()
    assert.deepEqual(await store.runIds(), ['s'])
    assert.deepEqual(
      [await store.events('r'), await store.requests('r', 0), (await store.tasks('r')).size],
      [[], [], 0],
    )
    assert.equal((await store.events('s')).length, 1)
    await store.createRun(newRun('r'))
    assert.deepEqual(
      [await store.events('r'), await store.note('r', 'plan'), await store.note('s', 'plan')],
      [[], null, 1],
    )
  })

  test(`${name}: readers see whole appends while another process writes, and never hold it up`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.createRun(newRun())
    const writer = rig.startWriter()
    await writer.saw(2)
    let looks = 0
    for (let last = 0; last < 60; looks++) {
      // The writer appends two events and a view with the number of the second.
      const shown = (await store.view('r'))?.startedAt ?? 0
      const events = await store.events('r')
      assert.equal(events.length % 2, 0)
      assert.ok(events.length >= shown, `${events.length} events, view of ${shown}`)
      assert.deepEqual(
        events.map(({ seq }) => seq),
        events.map((_, index) => index + 1),
      )
      last = events.length
      await new Promise(setImmediate)
    }
    assert.ok(looks > 0)
    await writer.kill()
  })

  test(`${name}: what was acknowledged survives kill -9 of its writer`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.createRun(newRun())
    const writer = rig.startWriter()
    await writer.saw(20)
    await writer.kill()
    const last = writer.acknowledged.at(-1) ?? 0
    const events = await store.events('r')
    assert.ok(events.length >= last, `${events.length} of ${last}`)
    assert.ok(((await store.view('r'))?.startedAt ?? 0) >= last)
    await store.append('r', [event(events.length + 1)], { run: summary('r', events.length + 1), tasks: [] })
  })

  test(`${name}: lessons and what became of attempts outlive their run, and a journal is learned from once`, async () => {
    await using rig = await makeRig()
    {
      await using store = await rig.open()
      await store.createRun(newRun())
      assert.equal(await store.learnedUpTo('r'), 0)
      await store.learn((known) => ({
        touched: [put(known, lessonOf())],
        experiences: [experienceOf()],
        upTo: { run: 'r', seq: 7 },
      }))
      assert.equal(await store.learnedUpTo('r'), 7)
      await store.deleteRun('r')
    }
    await using again = await rig.open()
    assert.deepEqual(await again.lessons(), [lessonOf()])
    assert.deepEqual(await again.experiences(), [experienceOf()])
    assert.equal(await again.learnedUpTo('r'), 0)
  })

  test(`${name}: two who change the same lesson do not undo each other's change`, async () => {
    await using rig = await makeRig()
    await using engine = await rig.open()
    await using person = await rig.open()
    const { id } = lessonOf()
    await engine.learn((known) => ({ touched: [put(known, lessonOf())] }))
    const change = (store: Store, of: (now: Lesson) => Partial<Lesson>) =>
      store.learn((known) => {
        const now = known.get(id) as Lesson
        return { touched: [put(known, { ...now, ...of(now) })] }
      })
    await Promise.all([
      change(engine, ({ seen }) => ({ seen: seen + 1 })),
      change(person, () => ({ text: 'Better words.' })),
      change(engine, ({ seen }) => ({ seen: seen + 1 })),
    ])
    const [now] = await person.lessons()
    assert.deepEqual([now?.seen, now?.text], [3, 'Better words.'])
    assert.deepEqual(await engine.lessons(), [now])
  })

  test(`${name}: a change of lessons that cannot be made leaves everything as it was`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    await store.learn((known) => ({ touched: [put(known, lessonOf())] }))
    const bad = (known: Known) => ({
      touched: [put(known, lessonOf({ text: 'Other words.' })), put(known, lessonOf({ id: 'bad' }))],
      experiences: [experienceOf()],
    })
    await assert.rejects(store.learn(bad))
    assert.deepEqual(await store.lessons(), [lessonOf()])
    assert.deepEqual(await store.experiences(), [])
  })

  test(`${name}: a lesson that was dropped is gone for everybody, and only what was touched is written`, async () => {
    await using rig = await makeRig()
    await using engine = await rig.open()
    await using person = await rig.open()
    const [a, b] = [lessonOf({ id: '0000000001' }), lessonOf({ id: '0000000002' })]
    await engine.learn((known) => ({ touched: [put(known, b), put(known, a)] }))
    assert.deepEqual(await person.lessons(), [a, b])
    await person.learn((known) => ({ touched: known.delete(a.id) ? [a.id] : [] }))
    assert.deepEqual(await engine.lessons(), [b])
    let first: Lesson | undefined
    await engine.learn((known) => {
      first = known.get(b.id)
      return { touched: [] }
    })
    await engine.learn((known) => {
      assert.equal(known.get(b.id), first, 'read again although nothing has changed')
      return { touched: [] }
    })
  })

  test(`${name}: what a person holds is seen by others, until its end or until it is removed`, async () => {
    await using rig = await makeRig()
    await using person = await rig.open()
    await using engine = await rig.open()
    const held = (glob: string, until: number, who = 'ana') => ({ name: who, glob, since: 1_000, until })
    const [a, b] = (await person.addHolds([held('a/**', 2_000), held('b', 3_000)], 1_000, 9)) ?? []
    assert.deepEqual(await engine.holds(1_999), [a, b])
    assert.deepEqual(await engine.holds(2_000), [b], 'its time is over')
    assert.deepEqual(await engine.removeHolds([b?.id ?? 0, 77]), [b])
    assert.deepEqual(await person.holds(1_000), [a])
    const [again] = (await person.addHolds([held('a/**', 9_000)], 1_500, 9)) ?? []
    assert.deepEqual(await engine.holds(1_500), [again], 'the same again is one hold, with another number')
    assert.notEqual(again?.id, a?.id)
    assert.equal((await person.addHolds([held('a/**', 9_000, 'ben')], 1_500, 9))?.length, 1)
    assert.equal((await engine.holds(1_500)).length, 2, 'of somebody else it is another')
  })

  test(`${name}: no more is held than may be, and what is over does not count`, async () => {
    await using rig = await makeRig()
    await using store = await rig.open()
    const held = (glob: string, until: number) => ({ name: 'ana', glob, since: 1, until })
    assert.ok(await store.addHolds([held('a', 10), held('b', 20)], 1, 2))
    assert.equal(await store.addHolds([held('c', 20)], 9, 2), null)
    assert.deepEqual(
      (await store.holds(9)).map(({ glob }) => glob),
      ['a', 'b'],
    )
    assert.ok(await store.addHolds([held('c', 20)], 10, 2))
  })
}

const FINISHED = {
  ...({ type: 'attempt.finished', task: 'a', attempt: 2, outcome: 'no-change' } as const),
  ...{ commit: null, diff: null, usage: null, summary: null, failure: null },
}
