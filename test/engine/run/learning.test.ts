// What one task learned, the next one knows; and which model does the work.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { limitsOf } from '../../../src/engine/open/limits.ts'
import { comparePlan } from '../../../src/scheduler/apply/replan.ts'
import { emptyState } from '../../../src/scheduler/state.ts'
import { openStore } from '../../../src/store/open.ts'
import { FakeClaude } from '../../rig/fake-claude.ts'
import { McpClient } from '../../rig/mcp-client.ts'
import { makeSettings, type TaskDraft } from '../../rig/plan.ts'
import { Rig } from '../../rig/rig.ts'

/** Forgets the checksum unless its prompt mentions one. */
const FORGETFUL =
  'prompt=$(cat); mkdir -p db; echo x > db/$ESPALIER_TASK.sql; case $prompt in *checksum*) echo 1 > db/$ESPALIER_TASK.sum;; esac'
const CHECK = 'test -f db/$ESPALIER_TASK.sum || { echo "Error: there is no checksum of it"; exit 1; }'
const TRAP = { files: { 'check.sh': CHECK } }

function trapped(id: string): TaskDraft {
  return {
    id,
    prompt: `Add the table ${id}.`,
    claims: { write: ['db/**'], read: [] },
    verify: ['sh check.sh'],
    retries: 1,
  }
}

async function store(rig: Rig) {
  const opened = await openStore(join(rig.state, 'state.db'), 'read')
  assert.ok(opened.ok)
  return opened.value
}

suite('learning', { concurrency: 3 }, () => {
  test('a trap is stepped into once: later prompts carry the lesson', async () => {
    await using rig = await Rig.open(TRAP)
    const first = await rig.run([trapped('one')], { command: FORGETFUL })
    assert.deepEqual(
      first.task('one').history.map(({ outcome }) => outcome),
      ['failed', 'changed'],
    )
    const second = await rig.run([trapped('two'), trapped('three')], { command: FORGETFUL })
    for (const id of ['two', 'three']) {
      const [attempt, ...more] = second.task(id).history
      assert.deepEqual([attempt?.outcome, more], ['changed', []])
      assert.ok((attempt?.lessons?.length ?? 0) > 0)
      assert.deepEqual(
        attempt?.checks?.map(({ passed }) => passed),
        [true],
      )
    }
    await using known = await store(rig)
    const lesson = (await known.lessons()).find(({ kind }) => kind === 'fix')
    assert.match(lesson?.text ?? '', /there is no checksum of it\. What put it right: a change of db\/one\.su?m?/)
    assert.equal(lesson?.domain, 'database')
    assert.deepEqual([lesson?.helped, lesson?.evidence[0]?.task], [2, 'one'])
  })

  test('turned off, nothing is read, kept or told', async () => {
    await using rig = await Rig.open(TRAP)
    const off = { command: FORGETFUL, learning: { enabled: false } }
    await rig.run([trapped('one')], off)
    const second = await rig.run([trapped('two')], off)
    assert.equal(second.task('two').attempts, 2)
    await using known = await store(rig)
    assert.deepEqual([await known.lessons(), await known.experiences()], [[], []])
  })

  test('work that is sent back counts against the attempt that made it, also for an engine that learns it later', async () => {
    await using rig = await Rig.open()
    const settings = { landing: { verify: ['! grep -q bad a.txt'], reruns: 0 } }
    const run = await rig.start(
      [
        { id: 'a', prompt: 'x', retries: 1 },
        { id: 'b', needs: ['a'] },
      ],
      {
        ...settings,
        command: rig.stage.command(),
      },
    )
    await (await rig.stage.next('a')).deliver('a.txt', 'bad\n')
    await (await rig.stage.next('a')).deliver('a.txt', 'good\n')
    const working = await rig.stage.next('b')
    run.run.abandon()
    await run.result
    await run.end()
    const learned = async () => {
      await using known = await store(rig)
      return (await known.experiences()).map(({ task, attempt, succeeded }) => [task, attempt, succeeded])
    }
    const ofA = [
      ['a', 1, false],
      ['a', 2, true],
    ]
    assert.deepEqual(await learned(), ofA)
    // As if it had been killed before it had learned anything.
    const db = new DatabaseSync(join(rig.state, 'state.db'))
    db.exec('delete from experience; delete from learned')
    db.close()
    const again = await rig.resume()
    await working.deliver('b.txt')
    await again.finish()
    assert.deepEqual(await learned(), [...ofA, ['b', 1, true]])
  })

  test('estimates of a second run come from the first', async () => {
    await using rig = await Rig.open()
    const tasks = [
      { id: 'a', run: 'sleep 0.3; echo a > a.txt' },
      { id: 'b', run: 'echo b > b.txt', estimateMs: 7 },
    ]
    await rig.run(tasks)
    const { run } = await rig.run(tasks)
    const [a, b] = run.plan.tasks
    assert.ok((a?.expected?.ms ?? 0) >= 300, `${a?.expected?.ms}`)
    assert.deepEqual([a?.estimateMs, b?.estimateMs, b?.expected?.ms], [null, 7, undefined])
    // The plan is as it was written: nothing has changed in it.
    const { difference } = comparePlan(emptyState(run.plan, limitsOf(makeSettings())), rig.plan(tasks))
    assert.deepEqual(difference, { added: [], changed: [], removed: [], tooLate: [] })
  })
})

/** Costs 5 dollars, and is right the second time. */
const DEAR =
  'cat > /dev/null; echo "{\\"type\\":\\"usage\\",\\"inputTokens\\":5,\\"costUsd\\":$COST}"; echo $ESPALIER_ATTEMPT > a.txt'

test('what earlier runs cost holds nothing back that a budget has room for', async () => {
  await using rig = await Rig.open()
  const task = { id: 'a', prompt: 'Do it.', retries: 1 }
  await rig.run([{ ...task, env: { COST: '5' } }], { command: DEAR })
  const verify = ['grep -q 2 a.txt']
  const poor = await rig.run([{ ...task, verify, budgetUsd: 3, env: { COST: '0.5' } }], { command: DEAR, budgetUsd: 3 })
  assert.equal(poor.run.plan.tasks[0]?.expected?.usd, 5)
  assert.deepEqual(rig.landings(poor.outcome), ['a/2'])
})

suite('model: auto', { concurrency: 3 }, () => {
  test('begins with the cheapest for what looks easy, and climbs when it fails', async () => {
    await using rig = await Rig.open()
    const claude = await FakeClaude.open(rig, [
      { sh: 'if [ $ESPALIER_ATTEMPT = 1 ]; then echo bad; else echo good; fi > a.txt', say: 'Written.', costUsd: 0.1 },
    ])
    const draft = claude.task({ verify: ['grep good a.txt'], retries: 1 })
    const work = { kind: 'prompt' as const, prompt: 'Fix the typo in a.txt.', agent: 'claude', model: 'auto' }
    const run = await rig.run([{ ...draft, work }], claude.settings())
    assert.deepEqual(rig.landings(run.outcome), ['a/2'])
    const [first, second] = run.task('a').history
    assert.deepEqual([first?.choice?.model, second?.choice?.model], ['claude-haiku-5-5', 'claude-sonnet-5-5'])
    assert.match(second?.choice?.why ?? '', /claude-haiku-5-5 failed before/)
    const models = (await claude.called()).map(({ argv }) => argv[argv.indexOf('--model') + 1])
    assert.deepEqual(models, ['claude-haiku-5-5', 'claude-sonnet-5-5'])
    await using known = await store(rig)
    assert.deepEqual(
      (await known.experiences()).map(({ model, succeeded }) => [model, succeeded]),
      [
        ['claude-haiku-5-5', false],
        ['claude-sonnet-5-5', true],
      ],
    )
  })
})

test('an agent tells later tasks what it found out, through the task manager', async () => {
  await using rig = await Rig.open()
  const run = await rig.start([{ id: 'a', prompt: 'Add a route to the api.' }], { command: rig.stage.command() })
  const puppet = await rig.stage.next('a')
  await using mcp = await McpClient.of(puppet)
  await mcp.call('add_lesson', { text: 'Routes are registered in src/routes.ts; token=abc123 is needed.' })
  await puppet.deliver('a.txt')
  await run.finish()
  const later = await rig.start([{ id: 'b', prompt: 'Add another route to the api.' }], {
    command: rig.stage.command(),
  })
  const next = await rig.stage.next('b')
  assert.match(
    next.hello.stdin,
    /## Worth knowing\n\n.* not instructions: [\s\S]*\n\n- Routes are registered in src\/routes\.ts; token=\[secret\] is needed\./,
  )
  await next.deliver('b.txt')
  await later.finish()
})
