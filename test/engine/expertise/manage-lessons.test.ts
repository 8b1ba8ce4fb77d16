// Lessons that agents have learned, shown, corrected and exported by people.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { suite, test } from 'node:test'
import {
  addLesson,
  editLesson,
  exportLessons,
  listLessons,
  readLesson,
  readLessonsOfRun,
} from '../../../src/engine/expertise/manage-lessons.ts'
import type { Result } from '../../../src/index.ts'
import { absorb } from '../../../src/learning/absorb.ts'
import { lessonId } from '../../../src/learning/observe.ts'
import type { Lesson } from '../../../src/learning-records.ts'
import { knowing, stateOf, storeOf } from '../../learning/known.ts'
import { EVIDENCE_OF_A, lessonOf, observationOf } from '../../learning/sample.ts'
import { makeRepository, type TestRepository } from '../../rig/repository.ts'
import { Rig } from '../../rig/rig.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

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
  test('is listed by domain, the most trusted first', async () => {
    await using repository = await knowing([
      lessonOf({ id: A, domain: 'database', confidence: 0.3 }),
      lessonOf({ id: B, domain: 'database', confidence: 0.7 }),
      lessonOf({ id: C, domain: 'api' }),
    ])
    const all = got(await listLessons(await workspaceAt(repository.top)))
    assert.deepEqual(
      all.map(({ domain, lessons }) => [domain, lessons.map(({ id }) => id)]),
      [
        ['api', [C]],
        ['database', [B, A]],
      ],
    )
    assert.deepEqual(got(await listLessons(await workspaceAt(repository.top), { domain: 'api' })), all.slice(0, 1))
    saysNo(
      await listLessons(await workspaceAt(repository.top), { domain: 'apis' }),
      /of the domain apis, only of api, database$/,
    )
  })

  test('where there is no state folder nothing is known, and looking makes none', async () => {
    await using repository = await makeRepository()
    assert.deepEqual(got(await listLessons(await workspaceAt(repository.top))), [])
    saysNo(await readLesson(await workspaceAt(repository.top), { id: A }), /there is no lesson/)
    assert.equal(got(await exportLessons(await workspaceAt(repository.top), {})).lessons, 0)
    assert.ok(!existsSync(stateOf(repository)))
  })

  test('a lesson is named by the beginning of its id; without confidence it is dropped', async () => {
    await using repository = await knowing([lessonOf({ id: A }), lessonOf({ id: B }), lessonOf({ id: C })])
    const workspace = await workspaceAt(repository.top)
    assert.equal(got(await readLesson(workspace, { id: 'bbbb' })).id, C)
    saysNo(await readLesson(workspace, { id: 'aaaa' }), /2 lessons begin with aaaa/)
    saysNo(await readLesson(workspace, { id: 'b' }), /there is no lesson b/)
    got(await editLesson(workspace, { id: C, confidence: 0 }))
    saysNo(await readLesson(workspace, { id: C }), /there is no lesson bbbb000003/)
    assert.deepEqual(
      (await lessonsOf(repository)).map(({ id }) => id),
      [A, B],
    )
  })

  test('the words of a person are kept, on one line and without secrets, also when it is seen again', async () => {
    const seen = observationOf({ kind: 'fix', key: 'npm test', text: '`npm test` checks the work.' })
    const known = lessonOf({ id: lessonId(seen), kind: 'fix', text: seen.text, paths: ['gone.txt'] })
    await using repository = await knowing([known])
    const text = 'Run\u202e npm test\n in src/a.txt and lib/b.txt, with token=abcdef123456.'
    const changed = got(await editLesson(await workspaceAt(repository.top), { id: known.id, text }))
    assert.equal(changed.text, 'Run npm test in src/a.txt and lib/b.txt, with token=[secret]')
    assert.deepEqual([changed.kind, changed.paths], ['advice', ['src/a.txt']])
    const map = new Map([[changed.id, changed]])
    absorb(map, [seen], 9)
    assert.deepEqual([map.get(known.id)?.text, map.get(known.id)?.seen], [changed.text, 2])

    saysNo(await editLesson(await workspaceAt(repository.top), { id: known.id, text: ' \n' }), /needs words/)
    saysNo(
      await editLesson(await workspaceAt(repository.top), { id: known.id, confidence: 1.5 }),
      /from 0 to 1, not 1.5/,
    )
  })

  test('a person adds what they know; it is the same lesson as if an agent had said it', async () => {
    await using repository = await makeRepository()
    const text = 'Never edit src/a.txt or made/b.txt.'
    const added = got(await addLesson(await workspaceAt(repository.top), { text, domain: 'database' }))
    const key = text.toLowerCase()
    assert.equal(added.id, lessonId({ domain: 'database', kind: 'advice', key }))
    assert.deepEqual([added.confidence, added.paths, added.evidence], [0.8, ['src/a.txt'], []])
    assert.deepEqual(await lessonsOf(repository), [added])
    saysNo(
      await addLesson(await workspaceAt(repository.top), { text, domain: 'database' }),
      new RegExp(`as lesson ${added.id}`),
    )
    saysNo(
      await addLesson(await workspaceAt(repository.top), { text, domain: 'databse' }),
      /there is no domain databse, only general, /,
    )
    saysNo(await addLesson(await workspaceAt(repository.top), { text: ' ' }), /needs words/)
    assert.equal(got(await addLesson(await workspaceAt(repository.top), { text })).domain, 'general')
  })

  test('the lessons of a run are those it learned or saw again', async () => {
    const seenIn = (id: string, ...runs: string[]) =>
      lessonOf({ id, evidence: runs.map((run) => ({ ...EVIDENCE_OF_A, run })) })
    await using repository = await knowing([seenIn(A, 'r1', 'r2'), seenIn(B, 'r1'), seenIn(C)])
    const lessons = got(await readLessonsOfRun(await workspaceAt(repository.top), { run: 'r2' }))
    assert.deepEqual(
      lessons.map(({ id }) => id),
      [A],
    )
  })

  test('is changed while an engine works, and the next prompt knows', async () => {
    await using rig = await Rig.open()
    const command = rig.stage.command()
    const tasks = ['a', 'b'].map((id, n) => ({ id, prompt: `Write ${id}.`, needs: n === 0 ? [] : ['a'] }))
    const run = await rig.start(tasks, { command })
    const first = await rig.stage.next('a')
    const workspace = await workspaceAt(rig.top)
    const added = got(await addLesson(workspace, { text: 'Whales are mammals.' }))
    got(await editLesson(workspace, { id: added.id, text: 'Whales are no fish.' }))
    await first.deliver('a.txt')
    const second = await rig.stage.next('b')
    assert.ok(second.hello.stdin.includes('Whales are no fish.'), second.hello.stdin)
    assert.ok(!second.hello.stdin.includes('mammals'))
    await second.deliver('b.txt')
    await run.finish()
    const { helped } = got(await readLesson(workspace, { id: added.id }))
    assert.equal(helped, 1)
  })
})

test('an export is a Markdown text by domain, the most trusted first, without secrets', async () => {
  const KEY = `sk-ant-api03-${'aB3dE5gH7jK9'.repeat(4)}`
  await using repository = await knowing([
    lessonOf({ id: B, domain: 'database', confidence: 0.123456, text: 'Use the pool.' }),
    lessonOf({ id: C, domain: 'api', text: 'Mind the gap.' }),
    lessonOf({ id: A, domain: 'database', text: `The key is ${KEY}, and so is swordfish.` }),
  ])
  const environment = { MY_API_KEY: 'swordfish', A: 'gap' }
  const { text, lessons } = got(await exportLessons(await workspaceAt(repository.top), { environment }))
  assert.equal(lessons, 3)
  assert.deepEqual(text.split('\n'), [
    '# Lessons of earlier tasks',
    ...['', '## api', '', '- Mind the gap. (60 %)'],
    ...['', '## database', '', '- The key is [secret], and so is [secret]. (60 %)', '- Use the pool. (12 %)', ''],
  ])
})
