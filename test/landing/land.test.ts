// One landing of one unit, with real git.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '../../src/config.ts'
import type { Fact } from '../../src/event.ts'
import type { EngineRepository } from '../../src/git/engine/engine-repository.ts'
import { runBranch } from '../../src/git/engine/ref-names.ts'
import { moveBranch } from '../../src/git/landing/merge-onto.ts'
import { buildBatch, type LandItem, type LandingPlace } from '../../src/landing/build-and-move.ts'
import { counted } from '../git/counted.ts'
import { openEngine, workOn } from '../git/engine.ts'
import { makeRepository, runGit, type TestRepository, write } from '../rig/repository.ts'

async function begin(repository: TestRepository): Promise<{ engine: EngineRepository; base: string }> {
  const engine = await openEngine(repository)
  const base = engine.user.head
  await moveBranch(engine, { ref: runBranch('run'), to: base, from: null })
  return { engine, base }
}

type One = LandingPlace & { tasks: LandItem['tasks']; work: string; onto: string }

function unit(engine: EngineRepository, id: string, base: string, work: string, onto: string): One {
  return { ...placeIn(engine), tasks: [{ id, title: `Do ${id}`, attempt: 1, base }], work, onto }
}

function placeIn(engine: EngineRepository): LandingPlace {
  return { engine, run: 'run', conflict: 'retry', merge: 'regular', signOff: null }
}

async function landUnit({ tasks, work, onto, ...place }: One): Promise<Fact> {
  const items = [{ tasks, commit: work, hasAgent: false }]
  const [fact] = await buildBatch(place, { items, onto, head: onto, verify: false })
  return fact ?? assert.fail('nothing was said of it')
}

const git = (engine: EngineRepository, ...args: string[]) => runGit(engine.gitDir, ['--git-dir=.', ...args])

async function landed(request: One): Promise<string> {
  const fact = await landUnit(request)
  assert.equal(fact.type, 'landing.landed', JSON.stringify(fact))
  return fact.type === 'landing.landed' ? fact.commit : ''
}

test('a landing is a commit of the work onto the branch, and says whose it is', async () => {
  await using repository = await makeRepository()
  const { engine, base } = await begin(repository)
  const work = await workOn(engine, base, 'a', (path) => write(`${path}/a.txt`, 'a\n'))
  const commit = await landed(unit(engine, 'a', base, work, base))
  assert.equal(git(engine, 'rev-parse', runBranch('run')), commit)
  assert.equal(git(engine, 'log', '-1', '--format=%P', commit), `${base} ${work}`)
  assert.match(
    git(engine, 'log', '-1', '--format=%B', commit),
    /Espalier-Run: run\nEspalier-Task: a\nEspalier-Attempt: 1/,
  )
})

test('a landing on what others have landed takes at most 4 git processes; a batch no more for each', async () => {
  await using repository = await makeRepository()
  const { engine, base } = await begin(repository)
  const works: string[] = []
  for (const id of ['a', 'b', 'c', 'd', 'e'])
    works.push(await workOn(engine, base, id, (path) => write(`${path}/${id}.txt`, id)))
  const item = (n: number) => {
    return { tasks: [{ id: `t${n}`, title: 't', attempt: 1, base }], commit: works[n] as string, hasAgent: false }
  }
  const land = (onto: string, ...items: number[]) =>
    counted(() => buildBatch(placeIn(engine), { items: items.map(item), onto, head: onto, verify: false }))
  let onto = base
  for (const n of [0, 1]) onto = landedBy((await land(onto, n)).value)
  const third = await land(onto, 2)
  onto = landedBy(third.value)
  const batch = await land(onto, 3, 4)
  landedBy(batch.value)
  assert.ok(third.commands.length <= 4, third.commands.join(' '))
  assert.ok(batch.commands.length <= 8, batch.commands.join(' '))
  assert.deepEqual([third.commands, batch.commands], [['merge-tree'], ['merge-tree', 'merge-tree']])
})

function landedBy(facts: Fact[]): string {
  const last = facts.at(-1)
  assert.equal(last?.type, 'landing.landed', JSON.stringify(facts))
  return last?.type === 'landing.landed' ? last.commit : ''
}

test('work on an older base is merged; both changes are there', async () => {
  await using repository = await makeRepository()
  const { engine, base } = await begin(repository)
  const a = await workOn(engine, base, 'a', (path) => write(`${path}/a.txt`, 'a\n'))
  const b = await workOn(engine, base, 'b', (path) => write(`${path}/b.txt`, 'b\n'))
  const first = await landed(unit(engine, 'a', base, a, base))
  const second = await landed(unit(engine, 'b', base, b, first))
  assert.equal(git(engine, 'show', `${second}:a.txt`), 'a')
  assert.equal(git(engine, 'show', `${second}:b.txt`), 'b')
})

test('a conflict moves nothing and names the paths', async () => {
  await using repository = await makeRepository()
  const { engine, base } = await begin(repository)
  const a = await workOn(engine, base, 'a', (path) => write(`${path}/src/a.txt`, 'of a\n'))
  const b = await workOn(engine, base, 'b', (path) => write(`${path}/src/a.txt`, 'of b\n'))
  const first = await landed(unit(engine, 'a', base, a, base))
  const fact = await landUnit(unit(engine, 'b', base, b, first))
  assert.ok(fact.type === 'landing.refused')
  assert.deepEqual([fact.failure.reason, fact.failure.paths, fact.retry], ['conflict', ['src/a.txt'], true])
  assert.equal(fact.failure.message, 'conflicts with the landed work of a in src/a.txt')
  const final = await landUnit({ ...unit(engine, 'b', base, b, first), conflict: 'fail' })
  assert.ok(final.type === 'landing.refused' && !final.retry)
  assert.equal(git(engine, 'rev-parse', runBranch('run')), first)
})

test('landing again what has landed without being recorded finds it', async () => {
  await using repository = await makeRepository()
  const { engine, base } = await begin(repository)
  const a = await workOn(engine, base, 'a', (path) => write(`${path}/a.txt`, 'a\n'))
  const first = await landed(unit(engine, 'a', base, a, base))
  // As a later second would make it: the same landing with another time is another commit.
  const words = { ...unit(engine, 'a', base, a, base), tasks: [{ id: 'a', title: 'Do it', attempt: 1, base }] }
  assert.equal(await landed(words), first)
  assert.equal(git(engine, 'rev-list', '--count', '--first-parent', `${base}..${runBranch('run')}`), '1')
})

for (const merge of ['squash', 'rebase'] as const) {
  test(`${merge}: the same, by the trailers of the last commit`, async () => {
    await using repository = await makeRepository()
    const { engine, base } = await begin(repository)
    const a = await workOn(engine, base, 'a', async (path) => {
      for (const name of ['1.txt', '2.txt']) {
        await write(`${path}/${name}`, name)
        runGit(path, ['add', '-A'])
        runGit(path, ['commit', '-qm', name])
      }
    })
    const first = await landed({ ...unit(engine, 'a', base, a, base), merge })
    const again = { ...unit(engine, 'a', base, a, base), merge, signOff: engine.user.identity }
    assert.equal(await landed(again), first)
    const commits = git(engine, 'rev-list', '--count', '--first-parent', `${base}..${runBranch('run')}`)
    assert.equal(commits, merge === 'squash' ? '1' : '2')
  })
}

test('a branch that somebody else has moved is not landed on, this time or later', async () => {
  await using repository = await makeRepository()
  const { engine, base } = await begin(repository)
  const a = await workOn(engine, base, 'a', (path) => write(`${path}/a.txt`, 'a\n'))
  const b = await workOn(engine, base, 'b', (path) => write(`${path}/b.txt`, 'b\n'))
  const first = await landed(unit(engine, 'a', base, a, base))
  const other = { ...unit(engine, 'a', base, b, base), tasks: [{ id: 'a', title: 'Do a', attempt: 2, base }] }
  for (const request of [unit(engine, 'b', base, b, base), other]) {
    const fact = await landUnit(request)
    assert.ok(fact.type === 'landing.refused' && !fact.retry, JSON.stringify(fact))
    assert.equal(fact.failure.reason, 'landing-refused')
    assert.match(fact.failure.message, /something else has moved the branch of run run/)
  }
  assert.equal(git(engine, 'rev-parse', runBranch('run')), first)
})

test('of a conflict over very many paths the first are listed and all are counted', async () => {
  await using repository = await makeRepository()
  const { engine, base } = await begin(repository)
  const writeAll = (text: string) => async (path: string) => {
    for (let n = 0; n < LIMITS.failurePaths + 10; n++) await write(`${path}/many/${n}.txt`, text)
  }
  const a = await workOn(engine, base, 'a', writeAll('of a\n'))
  const b = await workOn(engine, base, 'b', writeAll('of b\n'))
  const first = await landed(unit(engine, 'a', base, a, base))
  const fact = await landUnit(unit(engine, 'b', base, b, first))
  assert.ok(fact.type === 'landing.refused')
  assert.equal(fact.failure.paths?.length, LIMITS.failurePaths)
  assert.match(fact.failure.message, new RegExp(`${LIMITS.failurePaths + 10} paths`))
})

test('tasks that land together are all named', async () => {
  await using repository = await makeRepository()
  const { engine, base } = await begin(repository)
  const one = await workOn(engine, base, 'one', (path) => write(`${path}/1.txt`, '1\n'))
  const two = await workOn(engine, one, 'two', (path) => write(`${path}/2.txt`, '2\n'))
  const tasks = [
    { id: 'one', title: 'Do one', attempt: 1, base },
    { id: 'two', title: 'Do two', attempt: 3, base: one },
  ]
  const commit = await landed({ ...placeIn(engine), tasks, work: two, onto: base })
  const trailers = git(engine, 'log', '-1', '--format=%(trailers:only)', commit)
  assert.match(trailers, /Espalier-Task: one\nEspalier-Attempt: 1\nEspalier-Task: two\nEspalier-Attempt: 3/)
})
