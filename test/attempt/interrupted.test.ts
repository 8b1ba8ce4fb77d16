// Work that was interrupted is continued: the files are as they were left, and the agent is told, or continues its
// conversation. What failed by itself begins anew.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { DoomedEngine } from '../rig/doomed-engine.ts'
import { FakeClaude } from '../rig/fake-claude.ts'
import { makeSettings } from '../rig/plan.ts'
import { Rig } from '../rig/rig.ts'

suite('interrupted work', { concurrency: 3 }, () => {
  test('of an agent without conversations: its files and its own commits are there, and it is told', async () => {
    await using rig = await Rig.open()
    const run = await rig.start([{ id: 'a', prompt: 'Write all of it.', retries: 1 }], { command: rig.stage.command() })
    const first = await rig.stage.next('a')
    await first.write('kept.txt', 'one\n')
    await first.sh('git add -A && git commit -qm "first half"')
    const own = await first.sh('git rev-parse HEAD')
    await first.write('half.txt', 'two\n')
    await first.print('I was just about to finish\n')
    await first.sh('kill -KILL $PPID').catch(() => {})
    const second = await rig.stage.next('a')
    assert.deepEqual([second.attempt, run.task('a').history[0]?.failure?.reason], [2, 'agent-crashed'])
    assert.match(second.hello.stdin, /^Write all of it\.\n\n## Continue work that was interrupted\n/)
    assert.match(second.hello.stdin, /its work is in your worktree[\s\S]*\n {4}I was just about to finish\n/)
    assert.doesNotMatch(second.hello.stdin, /nothing of that attempt is in your worktree/)
    assert.equal(
      await second.sh('cat kept.txt half.txt; git rev-parse HEAD; git status --short'),
      `one\ntwo\n${own}\nA  half.txt`,
    )
    await second.deliver('whole.txt')
    const { outcome } = await run.finish()
    assert.deepEqual(rig.landings(outcome), ['a/2'])
    for (const file of ['kept.txt', 'half.txt', 'whole.txt']) assert.ok(rig.landedFile(outcome, file), file)
    // The commit it made itself before is still a commit of its own.
    assert.match(rig.git('log', '--format=%s', outcome.branch), /^first half$/m)
    const [started] = run.all('attempt.started').slice(1)
    assert.deepEqual([started?.continues, started?.base, started?.slot], [1, outcome.base, 1])
  })

  test('while it waits, others land: it continues on its own base, in its own slot, and both land', async () => {
    await using rig = await Rig.open()
    const tasks = [
      { id: 'a', prompt: 'Write a.', retries: 1 },
      { id: 'b', run: 'echo b > b.txt', needs: ['c'] },
      { id: 'c', run: 'echo c > c.txt' },
    ]
    const run = await rig.start(tasks, {
      command: rig.stage.command(),
      maxConcurrency: 2,
      backoff: { initialMs: 300, maxMs: 300 },
    })
    const first = await rig.stage.next('a')
    await first.write('a.txt', 'half ')
    await run.saw('landing.landed')
    await first.sh('kill -KILL $PPID').catch(() => {})
    const second = await rig.stage.next('a')
    assert.equal(await second.sh('cat a.txt; ls c.txt 2>/dev/null || true'), 'half')
    await second.deliver('a.txt', 'half whole\n')
    const { outcome } = await run.finish()
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => rig.landedFile(outcome, `${name}.txt`)),
      ['half whole', 'b', 'c'],
    )
    const [one, two] = run.task('a').history
    assert.deepEqual([two?.base, two?.slot], [one?.base, one?.slot])
  })

  test('the engine is stopped and resumed: the agent continues where it was', async () => {
    await using rig = await Rig.open()
    const run = await rig.start([{ id: 'a', prompt: 'Write a.' }], { command: rig.stage.command() })
    const first = await rig.stage.next('a')
    await first.write('a.txt', 'half')
    run.run.interrupt()
    await run.finish()
    const again = await rig.resume()
    const second = await rig.stage.next('a')
    assert.equal(await second.sh('cat a.txt'), 'half')
    assert.match(second.hello.stdin, /ended before it was done \(interrupted\)/)
    await second.deliver('b.txt')
    assert.equal((await again.finish()).outcome.status, 'completed')
  })

  test('killed between the restored work and the start of its agent, the next engine comes to the same', async () => {
    await using rig = await Rig.open()
    const settings = { command: rig.stage.command(), backoff: { initialMs: 1, maxMs: 1 } }
    const plan = rig.plan([{ id: 'a', prompt: 'Write a.', retries: 1 }])
    await using engine = new DoomedEngine(rig.top, plan, makeSettings(settings))
    const first = await rig.stage.next('a')
    await first.write('a.txt', 'half')
    await first.sh('kill -KILL $PPID').catch(() => {})
    const second = await rig.stage.next('a')
    await engine.kill()
    const run = await rig.resume()
    assert.equal(await second.sh('cat a.txt'), 'half')
    await second.deliver('b.txt')
    const { outcome } = await run.finish()
    assert.deepEqual([rig.landedFile(outcome, 'a.txt'), rig.landedFile(outcome, 'b.txt')], ['half', 'a'])
  })

  test('a shell command begins anew', async () => {
    await using rig = await Rig.open()
    const command =
      'ls half.txt 2>/dev/null && exit 9; echo half > half.txt; test -e "$MARK" || { touch "$MARK"; kill -KILL $$; }'
    const task = { id: 'a', run: command, retries: 1, env: { MARK: rig.repository.at('mark') } }
    const { outcome, ...run } = await rig.run([task], { backoff: { initialMs: 1, maxMs: 1 } })
    assert.equal(outcome.status, 'completed')
    assert.equal(run.events.filter((event) => event.type === 'attempt.started' && event.continues).length, 0)
  })

  test('a conversation that is there is continued in a few words; the cost of both processes counts once', async () => {
    await using rig = await Rig.open()
    const noted =
      'd="$CLAUDE_CONFIG_DIR/projects/p"; mkdir -p "$d"; for s in "$CLAUDE_FAKE"/session-*; do touch "$d/$(basename "$s" | cut -c9-).jsonl"; done'
    const claude = await FakeClaude.open(rig, [
      { sh: `${noted}; echo one > a.txt; kill -KILL $PPID`, say: 'never said', costUsd: 0.25, tokens: 100 },
      { sh: 'cat a.txt > b.txt', say: 'Both are written.', costUsd: 0.5, tokens: 20 },
    ])
    const env = { CLAUDE_FAKE: claude.folder, CLAUDE_CONFIG_DIR: rig.repository.at('config') }
    const { outcome, ...run } = await rig.run(
      [claude.task({ env, retries: 1 })],
      claude.settings({ backoff: { initialMs: 1, maxMs: 1 } }),
    )
    assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
    const [first, second] = await claude.called()
    assert.deepEqual([second?.resumes, second?.session], [true, first?.session])
    assert.match(
      second?.prompt ?? '',
      /^## You were interrupted\n\nYour process ended before you were done \(agent-crashed\)/,
    )
    assert.doesNotMatch(second?.prompt ?? '', /Write a\.txt/)
    assert.equal(rig.landedFile(outcome, 'b.txt'), 'one')
    assert.ok(run.events.length > 0)
  })

  test('a conversation that is gone is begun anew with the same work', async () => {
    await using rig = await Rig.open()
    const claude = await FakeClaude.open(rig, [{ sh: 'echo one > a.txt; kill -KILL $PPID', say: 'never said' }])
    // Each conversation begins with the first play: the second is another one from then on.
    const run = await rig.start(
      [claude.task({ retries: 1 })],
      claude.settings({ backoff: { initialMs: 1_000, maxMs: 1_000 } }),
    )
    await run.saw('attempt.finished')
    await claude.play(1, { sh: 'cat a.txt > b.txt', say: 'Both are written.' })
    const { outcome } = await run.finish()
    assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
    const [first, second] = await claude.called()
    assert.equal(second?.resumes, false)
    assert.notEqual(second?.session, first?.session)
    assert.match(second?.prompt ?? '', /Write a\.txt[\s\S]*## Continue work that was interrupted/)
    assert.equal(rig.landedFile(outcome, 'b.txt'), 'one')
  })
})
