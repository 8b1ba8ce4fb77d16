// What agents know, looked at and changed by people: lessons by domain, in other words, added, pruned, shared.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { suite, test } from 'node:test'
import { readLearnedIn } from '../../../src/engine/expertise/lesson-changes-in-run.ts'
import { DEFAULT_SETTINGS, type Result } from '../../../src/index.ts'
import {
  addLesson,
  editLesson,
  exportLessons,
  importLessons,
  type Lesson,
  listLessons,
  pruneLessons,
  readLesson,
} from '../../../src/internal.ts'
import { absorb } from '../../../src/learning/absorb.ts'
import { lessonId } from '../../../src/learning/observe.ts'
import { knowing, stateOf, storeOf } from '../../learning/known.ts'
import { lessonOf, observationOf } from '../../learning/sample.ts'
import { makeRepository, type TestRepository } from '../../rig/repository.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'
import { event, newRun, summary } from '../../store/contract.ts'

const { learning } = DEFAULT_SETTINGS
const [A, B, C] = ['aaaa000001', 'aaaa000002', 'bbbb000003'] as const

function got<T>(result: Result<T>): T {
  assert.ok(result.ok, JSON.stringify(result))
  return result.value
}

function saysNo(result: Result<unknown>, why: RegExp): void {
  assert.ok(!result.ok)
  assert.match(result.problems.map(({ message }) => message).join('\n'), why)
}

async function lessonsOf(repository: TestRepository): Promise<Lesson[]> {
  await using store = await storeOf(repository)
  return store.lessons()
}

suite('expertise', { concurrency: 3 }, () => {
  test('is listed by domain, the most trusted first, with what there is room for', async () => {
    await using repository = await knowing([
      lessonOf({ id: A, domain: 'database', confidence: 0.3 }),
      lessonOf({ id: B, domain: 'database', confidence: 0.7 }),
      lessonOf({ id: C, domain: 'api' }),
    ])
    const all = got(await listLessons(await workspaceAt(repository.top), { learning }))
    assert.deepEqual(
      all.map(({ domain, lines, maxLines, lessons }) => [domain, lines, maxLines, lessons.map(({ id }) => id)]),
      [
        ['api', 1, 1_000, [C]],
        ['database', 2, 1_000, [B, A]],
      ],
    )
    assert.deepEqual(
      got(await listLessons(await workspaceAt(repository.top), { learning, domain: 'api' })),
      all.slice(0, 1),
    )
    saysNo(
      await listLessons(await workspaceAt(repository.top), { learning, domain: 'apis' }),
      /of the domain apis, only of api, database$/,
    )
  })

  test('where there is no state folder nothing is known, and looking makes none', async () => {
    await using repository = await makeRepository()
    assert.deepEqual(got(await listLessons(await workspaceAt(repository.top), { learning })), [])
    saysNo(await readLesson(await workspaceAt(repository.top), { id: A }), /there is no lesson/)
    assert.deepEqual(got(await pruneLessons(await workspaceAt(repository.top), { learning, dryRun: true })), [])
    assert.equal(got(await exportLessons(await workspaceAt(repository.top), {})).lessons, 0)
    assert.ok(!existsSync(stateOf(repository)))
  })

  test('a lesson is named by the beginning of its id; of one that is gone the history is left', async () => {
    await using repository = await knowing([lessonOf({ id: A }), lessonOf({ id: B }), lessonOf({ id: C })])
    const { lesson, audit } = got(await readLesson(await workspaceAt(repository.top), { id: 'bbbb' }))
    assert.deepEqual([lesson?.id, audit.map(({ action }) => action)], [C, ['learned']])
    saysNo(await readLesson(await workspaceAt(repository.top), { id: 'aaaa' }), /2 lessons begin with aaaa/)
    saysNo(await readLesson(await workspaceAt(repository.top), { id: 'b' }), /there is no lesson b/)
    got(await editLesson(await workspaceAt(repository.top), { id: C, confidence: 0 }))
    got(await pruneLessons(await workspaceAt(repository.top), { learning }))
    const gone = got(await readLesson(await workspaceAt(repository.top), { id: C }))
    assert.equal(gone.lesson, null)
    assert.deepEqual(
      gone.audit.map(({ action, why }) => [action, why]),
      [
        ['learned', 'r1/a'],
        ['edited', 'by hand: confidence 0.60 → 0.00'],
        ['pruned', 'by hand: it has stopped helping'],
      ],
    )
  })

  test('the words of a person are kept, on one line and without secrets, also when it is seen again', async () => {
    const seen = observationOf({ kind: 'command', key: 'npm test', text: '`npm test` checks the work.' })
    const known = lessonOf({ id: lessonId(seen), kind: 'command', text: seen.text, paths: ['gone.txt'] })
    await using repository = await knowing([known])
    const text = 'Run\u202e npm test\n in src/a.txt and lib/b.txt, with token=abcdef123456.'
    const changed = got(await editLesson(await workspaceAt(repository.top), { id: known.id, text }))
    assert.equal(changed.text, 'Run npm test in src/a.txt and lib/b.txt, with token=[secret]')
    assert.deepEqual([changed.kind, changed.paths, changed.version], ['advice', ['src/a.txt'], 2])
    const map = new Map([[changed.id, changed]])
    absorb(map, [seen], 9, learning)
    assert.deepEqual([map.get(known.id)?.text, map.get(known.id)?.seen], [changed.text, 2])

    assert.deepEqual(
      got(await editLesson(await workspaceAt(repository.top), { id: known.id, text: changed.text })),
      changed,
    )
    saysNo(await editLesson(await workspaceAt(repository.top), { id: known.id, text: ' \n' }), /needs words/)
    saysNo(
      await editLesson(await workspaceAt(repository.top), { id: known.id, confidence: 1.5 }),
      /from 0 to 1, not 1.5/,
    )
    await using store = await storeOf(repository)
    assert.deepEqual(
      (await store.audit(known.id)).map(({ action, version, why }) => [action, version, why]),
      [
        ['learned', 1, 'r1/a'],
        ['edited', 2, 'by hand: other words'],
      ],
    )
  })

  test('a person adds what they know; it is the same lesson as if an agent had said it', async () => {
    await using repository = await makeRepository()
    const text = 'Never edit src/a.txt or made/b.txt.'
    const added = got(await addLesson(await workspaceAt(repository.top), { learning, text, domain: 'database' }))
    const key = text.toLowerCase()
    assert.equal(added.id, lessonId({ domain: 'database', kind: 'advice', key }))
    assert.deepEqual([added.confidence, added.paths, added.evidence], [0.8, ['src/a.txt'], []])
    assert.deepEqual(await lessonsOf(repository), [added])
    saysNo(
      await addLesson(await workspaceAt(repository.top), { learning, text, domain: 'database' }),
      new RegExp(`as lesson ${added.id}`),
    )
    saysNo(
      await addLesson(await workspaceAt(repository.top), { learning, text, domain: 'databse' }),
      /there is no domain databse, only general, /,
    )
    saysNo(await addLesson(await workspaceAt(repository.top), { learning, text: ' ' }), /needs words/)
    assert.equal(got(await addLesson(await workspaceAt(repository.top), { learning, text })).domain, 'general')
  })

  test('where a domain is full the least trusted makes room', async () => {
    await using repository = await knowing([
      lessonOf({ id: A, domain: 'general', confidence: 0.2 }),
      lessonOf({ id: B, domain: 'general', confidence: 0.9 }),
    ])
    const small = { ...learning, linesPerDomain: 2 }
    const added = got(await addLesson(await workspaceAt(repository.top), { learning: small, text: 'Mind the gap.' }))
    assert.deepEqual((await lessonsOf(repository)).map(({ id }) => id).sort(), [B, added.id].sort())
  })

  test('lessons about files that are gone are pruned, not those of work that has yet to land', async () => {
    const about = (id: string, ...paths: string[]) => lessonOf({ id, paths })
    const lessons = [
      about('0000000001', 'src/a.txt'),
      about('0000000002', 'src/gone.txt'),
      about('0000000003', 'src/'),
      about('0000000004', 'gone/'),
      about('0000000005', 'new.txt'),
      about('0000000006', 'src/gone.txt', 'src/b.txt'),
      lessonOf({ id: '0000000007', confidence: 0.01 }),
    ]
    await using repository = await knowing(lessons)
    repository.git('checkout', '-q', '-b', 'espalier/plan-1')
    await repository.write('new.txt', 'new')
    repository.commit('work of a run')
    repository.git('checkout', '-q', 'main')
    const would = got(await pruneLessons(await workspaceAt(repository.top), { learning, dryRun: true }))
    assert.deepEqual(
      would.map(({ lesson, why }) => [lesson.id, why]),
      [
        ['0000000002', 'src/gone.txt is gone'],
        ['0000000004', 'gone/ is gone'],
        ['0000000007', 'it has stopped helping'],
      ],
    )
    assert.equal((await lessonsOf(repository)).length, lessons.length)
    assert.deepEqual(got(await pruneLessons(await workspaceAt(repository.top), { learning })), would)
    assert.deepEqual(
      (await lessonsOf(repository)).map(({ id }) => id),
      ['0000000001', '0000000003', '0000000005', '0000000006'],
    )
  })

  test('what a run taught is told apart from what others did', async () => {
    await using repository = await knowing([lessonOf({ id: A, domain: 'api' })])
    await using store = await storeOf(repository)
    for (const [id, startedAt] of [['r1', 10] as const, ['r2', 20] as const]) {
      await store.createRun(newRun(id, startedAt))
      await store.append(id, [event(1)], { run: summary(id, startedAt), tasks: [] })
    }
    const note = (time: number, lesson: string, action: 'learned' | 'validated' | 'pruned', why: string) => ({
      ...{ at: time, lesson, action, version: 1, why },
    })
    const audit = [
      note(5, B, 'learned', 'r1/a'), // of an earlier run of the same name
      note(11, A, 'learned', 'r1/a'),
      note(12, A, 'validated', 'r1/b'),
      note(13, A, 'validated', 'r1/c'),
      note(14, C, 'pruned', 'src/c.txt is gone'),
      note(15, B, 'pruned', 'by hand: src/b.txt is gone'),
      note(21, A, 'validated', 'r2/a'),
      note(22, B, 'pruned', 'it has stopped helping'),
    ]
    await store.learn(() => ({ lessons: { saved: [], dropped: [], audit } }))
    const none = { learned: false, seen: 0, validated: 0, doubted: 0, pruned: null }
    const [lesson] = await store.lessons()
    assert.deepEqual(got(await readLearnedIn(await workspaceAt(repository.top), { run: 'r1', startedAt: 10 })), [
      { ...none, id: A, lesson, learned: true, validated: 2 },
      { ...none, id: C, lesson: null, pruned: 'src/c.txt is gone' },
    ])
  })

  test('is changed while an engine works, and the next prompt knows', async () => {
    await using rig = await Rig.open()
    const command = rig.stage.command()
    const tasks = ['a', 'b'].map((id, n) => ({ id, prompt: `Write ${id}.`, needs: n === 0 ? [] : ['a'] }))
    const run = await rig.start(tasks, { command })
    const first = await rig.stage.next('a')
    const workspace = await workspaceAt(rig.top)
    const added = got(await addLesson(workspace, { learning, text: 'Whales are mammals.' }))
    got(await editLesson(workspace, { id: added.id, text: 'Whales are no fish.' }))
    await first.deliver('a.txt')
    const second = await rig.stage.next('b')
    assert.ok(second.hello.stdin.includes('Whales are no fish.'), second.hello.stdin)
    assert.ok(!second.hello.stdin.includes('mammals'))
    await second.deliver('b.txt')
    await run.finish()
    const { helped } = got(await readLesson(workspace, { id: added.id })).lesson ?? {}
    assert.equal(helped, 1)
  })
})

suite('expertise for the team', { concurrency: 3 }, () => {
  const KEY = `sk-ant-api03-${'aB3dE5gH7jK9'.repeat(4)}`
  const lessons = [
    lessonOf({ id: B, domain: 'database', confidence: 0.123456, text: 'Use the pool.', paths: ['db/a.sql'] }),
    lessonOf({ id: C, domain: 'api', text: 'Mind the gap.' }),
    lessonOf({ id: A, domain: 'database', text: `The key is ${KEY}, and so is swordfish.` }),
  ]

  test('is a file in a fixed order, a lesson a line, without secrets and without conversations', async () => {
    await using repository = await knowing(lessons)
    const { text } = got(
      await exportLessons(await workspaceAt(repository.top), { environment: { MY_API_KEY: 'swordfish', A: 'gap' } }),
    )
    const [head, ...lines] = text.trimEnd().split('\n')
    assert.equal(head, '{"espalier":"expertise","version":1}')
    const read = lines.map((line) => JSON.parse(line))
    assert.deepEqual(
      read.map(({ id, confidence, text }) => [id, confidence, text]),
      [
        [C, 0.6, 'Mind the gap.'],
        [A, 0.6, 'The key is [secret], and so is [secret].'],
        [B, 0.123, 'Use the pool.'],
      ],
    )
    assert.ok(!text.includes('s1'), 'the session of the evidence')
  })

  test('is taken in where nothing is known yet, and comes out the same', async () => {
    await using mine = await knowing(lessons)
    await using theirs = await makeRepository()
    const { text } = got(await exportLessons(await workspaceAt(mine.top), {}))
    const file = { text, file: 'x.jsonl' }
    const counts = { added: 3, changed: 0, unchanged: 0, dropped: 0 }
    const { taken, ...tried } = got(
      await importLessons(await workspaceAt(theirs.top), { learning, ...file, dryRun: true }),
    )
    assert.deepEqual(tried, counts)
    assert.ok(!existsSync(stateOf(theirs)))
    assert.deepEqual(got(await importLessons(await workspaceAt(theirs.top), { learning, ...file })), {
      ...counts,
      taken,
    })
    assert.deepEqual(taken.map(({ id }) => id).sort(), (await lessonsOf(theirs)).map(({ id }) => id).sort())
    assert.equal(got(await exportLessons(await workspaceAt(theirs.top), {})).text, text)
    const again = got(await importLessons(await workspaceAt(theirs.top), { learning, ...file }))
    assert.deepEqual(again, { ...counts, added: 0, unchanged: 3, taken: [] })
    const { audit } = got(await readLesson(await workspaceAt(theirs.top), { id: A }))
    assert.deepEqual(
      audit.map(({ action, why }) => [action, why]),
      [['imported', 'by hand: from x.jsonl']],
    )
  })

  test('what others have put into the file is not written over; what was dropped here is', async () => {
    await using mine = await knowing(lessons)
    await using theirs = await makeRepository()
    const replaces = { text: got(await exportLessons(await workspaceAt(mine.top), {})).text, file: 'x.jsonl' }
    saysNo(
      await exportLessons(await workspaceAt(theirs.top), { replaces }),
      /has lessons that were never known here \(3\): import it/,
    )
    got(await importLessons(await workspaceAt(theirs.top), { learning, ...replaces }))
    got(await editLesson(await workspaceAt(theirs.top), { id: A, confidence: 0 }))
    got(await pruneLessons(await workspaceAt(theirs.top), { learning }))
    assert.equal(got(await exportLessons(await workspaceAt(theirs.top), { replaces })).lessons, 1)
  })

  test('never grows beyond its bounds', async () => {
    await using mine = await knowing(lessons)
    await using theirs = await makeRepository()
    const { text } = got(await exportLessons(await workspaceAt(mine.top), {}))
    const small = { ...learning, linesPerDomain: 1 }
    const counts = got(await importLessons(await workspaceAt(theirs.top), { learning: small, text, file: 'x' }))
    assert.deepEqual([counts.added, counts.dropped], [3, 1])
    assert.deepEqual((await lessonsOf(theirs)).map(({ id }) => id).sort(), [A, C].sort())
  })
})
