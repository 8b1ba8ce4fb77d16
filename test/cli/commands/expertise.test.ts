// `espalier expertise` and `espalier models`, as a person types them.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { runProgram } from '../../../src/cli/program.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import type { DomainLessons } from '../../../src/engine/expertise/manage-lessons.ts'
import { knowing, stateOf } from '../../learning/known.ts'
import { lessonOf } from '../../learning/sample.ts'
import { makeRepository, type TestRepository } from '../../rig/repository.ts'
import { FakeTerminal } from '../fake-terminal.ts'

const [A, B] = ['aaaa000001', 'bbbb000002'] as const
const lessons = [lessonOf({ id: A, domain: 'database', text: 'Use the pool.' }), lessonOf({ id: B })]

/** JSON is not to be wrapped. */
const WIDTH = 10_000

/** In this process: a command takes a while to load, and there are many of them here. */
async function espalier({ top, path }: TestRepository, args: string[], env: Record<string, string> = {}) {
  const [out, err] = [new FakeTerminal(WIDTH), new FakeTerminal(WIDTH)]
  const surroundings = {
    ...{ out: out.output, err: err.output, env: { PATH: process.env.PATH, ...env }, cwd: top, home: path, live: false },
    ...{ outPalette: palette(false), errPalette: palette(false) },
  }
  const status = await runProgram(['node', 'espalier', ...args], '1.2.3', surroundings)
  return { status, out: out.screen.join('\n'), err: err.screen.join('\n') }
}

suite('espalier expertise', { concurrency: 3 }, () => {
  test('lists, shows, changes and adds', async () => {
    await using repository = await knowing(lessons)
    const run = (...args: string[]) => espalier(repository, ['expertise', ...args])
    const all = await run()
    assert.match(all.out, /^api {2}1 lesson\n█.* bbbb000002 .*\n\ndatabase {2}1 lesson\n.* Use the pool\.$/)
    assert.deepEqual(await run('list'), all)
    const { domains } = JSON.parse((await run('list', 'database', '--json')).out) as { domains: DomainLessons[] }
    assert.deepEqual(
      domains.map(({ domain, lessons }) => [domain, lessons[0]?.id]),
      [['database', A]],
    )
    assert.match((await run('show', 'aaaa')).out, /^Use the pool\.\n\nlesson {6}aaaa000001, advice, domain database\n/)
    assert.equal(JSON.parse((await run('show', A, '--json')).out).lesson.id, A)
    assert.equal((await run('edit', A, '--text', 'Use two pools.')).out, 'aaaa000001  Use two pools.')
    assert.equal((await run('edit', A, '--confidence', '.95')).status, 0)
    assert.match((await run('show', A)).out, /^Use two pools\.\n[\s\S]* 95 %\n/)
    assert.match((await run('add', 'Be brief.')).out, /^[0-9a-f]{10} {2}Be brief\.$/)
    assert.match((await run('list', 'general')).out, /80 %.*Be brief\.$/)
    for (const [args, says] of [
      [['show', 'cccc'], /^there is no lesson cccc/],
      [['list', 'nothing'], /^nothing is known of the domain nothing/],
      [['edit', 'cccc', '--confidence', '1'], /^there is no lesson cccc/],
      [['add', 'x', '--domain', 'nothing'], /^there is no domain nothing/],
      [['edit', A], /^say what to change: --text or --confidence/],
    ] as const) {
      const refused = await run(...args)
      assert.deepEqual([refused.status, refused.out], [2, ''])
      assert.match(refused.err, says)
    }
  })

  test('exports', async () => {
    await using repository = await knowing(lessons)
    const run = (...args: string[]) => espalier(repository, ['expertise', 'export', ...args])
    assert.equal((await run()).out, '2 lessons written to .espalier/expertise.md')
    const text = await readFile(`${repository.top}/.espalier/expertise.md`, 'utf8')
    assert.match(
      text,
      /^# Lessons of earlier tasks\n\n## api\n\n- Mind the gap\. \(60 %\)\n\n## database\n\n- Use the pool\./,
    )
    assert.equal(`${(await run('-o', '-')).out}\n`, text)
    const refused = await run('-o', 'README.md/lessons.md')
    assert.deepEqual([refused.status, refused.out], [2, ''])
    assert.match(refused.err, /^README\.md\/lessons\.md: cannot be written: .*Name another file/)
  })

  test('lists what is whole, and says how much is not', async () => {
    await using repository = await knowing(lessons)
    const database = new DatabaseSync(`${stateOf(repository)}/state.db`)
    database.exec(`update lesson set data = '{"id":' where id = '${A}'`)
    database.close()
    const { status, out, err } = await espalier(repository, ['expertise', 'list'])
    assert.deepEqual([status, err], [0, 'warning: 1 lesson is damaged and left out; all others are used as before'])
    assert.match(out, /^api {2}1 lesson\n.* bbbb000002 .*$/)
    const asJson = await espalier(repository, ['expertise', 'list', '--json'])
    assert.deepEqual(JSON.parse(asJson.out).domains.length, 1)
    const models = await espalier(repository, ['models', '--json'])
    assert.deepEqual([models.err, JSON.parse(models.out).agents[0].agent], [err, 'claude'])
  })

  test('says so where nothing is known', async () => {
    await using repository = await makeRepository()
    const { status, out, err } = await espalier(repository, ['expertise'])
    assert.deepEqual([status, out, err], [0, '', 'no lessons yet: runs add them'])
  })
})

test('espalier models shows the models there are', async () => {
  await using repository = await makeRepository()
  const { status, out } = await espalier(repository, ['models'])
  assert.equal(status, 0)
  assert.match(out, /^claude\n {2}Prices: .*\n {2}Tier +In +Cached +Out\n {2}1 claude-haiku-5-5 +\$0\.1 /)
  const { agents, newest } = JSON.parse((await espalier(repository, ['models', '--json'])).out)
  assert.deepEqual([agents[0].agent, newest], ['claude', null])
})
