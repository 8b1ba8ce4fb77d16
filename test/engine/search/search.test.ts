// A search on the real engine, from its file to the branch: as the documentation has it, and what becomes of it otherwise.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adds, SearchRig, SMALLEST } from '../../rig/search.ts'
import { timeless } from '../../rig/virtual-search.ts'

const IDEAS = {
  a1: adds(1),
  b3: adds(3),
  c3: adds(3),
  crash: 'exit 3\n',
  nothing: 'true\n',
  toomuch: 'echo 500 > value.txt\n',
  worse: 'echo 5 > value.txt\n',
}

test('the smallest search: what is promoted, why the others are not, and where the result is', async () => {
  await using rig = await SearchRig.open(IDEAS, SMALLEST.replace('beam: 3', 'beam: 1'))
  const { outcome, manifest, of, events } = await rig.run()
  assert.equal(outcome.status, 'completed')
  const standings = manifest.evals
    .filter(({ depth }) => depth === 1)
    .map(({ idea_path, promotion }) => [idea_path?.slice(6, -3), promotion.status])
  assert.deepEqual(Object.fromEntries(standings), {
    a1: 'outranked',
    b3: 'promoted',
    c3: 'duplicate',
    crash: 'failed',
    nothing: 'unchanged',
    toomuch: 'failed',
    worse: 'no-improvement',
  })
  assert.equal(of('toomuch').error?.reason, 'gate-failed')
  assert.equal(of('crash').error?.reason, 'command-failed')
  assert.equal(of('c3').promotion.of, of('b3').eval_id)
  const { git } = rig.repository
  const at = (ref: string) => rig.repository.git('show', `${ref}:value.txt`)
  assert.equal(at(outcome.branch), '16')
  for (const { node_id, commit } of manifest.nodes.slice(1))
    assert.equal(git.call(rig.repository, 'rev-parse', `refs/espalier/${outcome.run}/node/${node_id}`), commit)
  assert.equal(git.call(rig.repository, 'rev-parse', 'HEAD'), manifest.root_commit, 'the checkout is as it was')

  const queued = events.find((event) => event.type === 'tasks.added')
  const first = events.find((event) => event.type === 'attempt.started' && event.task !== 'root-judge')
  assert.ok(queued && first && queued.seq < first.seq, 'all of a depth are queued before its first starts')
  for (const one of manifest.evals) {
    assert.ok(one.queued_at !== null && one.started_at !== null && one.finished_at !== null)
    assert.ok(one.queued_at <= one.started_at && one.started_at <= one.finished_at)
    assert.ok((one.worker_pid ?? 0) > 0)
  }
})

test('beam 3, depth 2, several at a time: the same as one at a time, down to the commits', async () => {
  const manifests: string[] = []
  for (const slots of [1, 4]) {
    await using rig = await SearchRig.open({
      a1: adds(1),
      b3: adds(3),
      crash: 'exit 3\n',
      flaky: 'test "$ESPALIER_ATTEMPT" = 2 && echo 14 > value.txt\n',
    })
    const { manifest, of } = await rig.run({ maxConcurrency: slots, retries: 1 })
    assert.equal(of('flaky').attempt, 2)
    manifests.push(timeless(manifest))
  }
  assert.equal(manifests[0], manifests[1])
})

test('a root without a score ends the search before anything is tried', async () => {
  for (const [text, reason] of [
    [SMALLEST.replace('sh test.sh', 'exit 1'), 'gate-failed'],
    [SMALLEST.replace('sh score.sh', 'echo none'), 'score-failed'],
  ] as const) {
    await using rig = await SearchRig.open({ a1: adds(1) }, text)
    const { outcome, manifest } = await rig.run()
    assert.equal(outcome.status, 'failed')
    assert.equal(manifest.root?.error?.reason, reason)
    assert.deepEqual(manifest.evals, [])
  }
})

test('measured several times: the median counts, and a gain within the spread is none', async () => {
  const noisy =
    'n=$(( $(cat ../../noise 2>/dev/null || echo 0) + 1 )); echo $n > ../../noise; echo "{\\"ms\\": $(( $(cat value.txt) + n % 3 )), \\"kb\\": 7}"\n'
  const files = { 'value.txt': '10\n', 'score.sh': noisy, 'test.sh': 'true\n' }
  const score = 'sh score.sh, goal: max, keys: [kb, ms], scoreKey: ms'
  const text = `${SMALLEST.replace('sh score.sh, goal: max', score).replace('depth: 2', 'depth: 1')}repeats: 3\n`
  await using rig = await SearchRig.open({ noise: adds(2), gain: adds(5) }, text, files)
  const { of, manifest } = await rig.run()
  assert.equal(manifest.root?.score, 11)
  assert.equal(manifest.root?.spread, 2)
  assert.deepEqual([...(manifest.root?.samples.ms ?? [])].sort(), [10, 11, 12])
  assert.deepEqual(of('noise').scores, { kb: 7, ms: 13 })
  assert.deepEqual(of('noise').promotion, { status: 'no-improvement', gain: 2, needed: 0, noise: 2 })
  assert.equal(of('gain').promotion.status, 'promoted')
})

test('a candidate that changed what is protected is refused where the search says so; strict stops at a failure', async () => {
  const ideas = { cheat: 'echo 12 > value.txt; echo true > test.sh\n' }
  await using refusing = await SearchRig.open(ideas, `${SMALLEST}onProtected: refuse\n`)
  const refused = await refusing.run()
  assert.equal(refused.of('cheat').error?.reason, 'protected-path')
  await using strict = await SearchRig.open({ a1: adds(1), crash: 'exit 3\n' }, `${SMALLEST}strict: true\n`)
  const { outcome } = await strict.run()
  assert.equal(outcome.status, 'failed')
})

test('ideas that are proposed are in the journal, and tried like those of files', async () => {
  const propose =
    "propose: { count: 2, run: \"for n in 1 2 3; do echo 'echo $(( $(cat value.txt) + '$n' )) > value.txt' > $ESPALIER_IDEAS/p$n.md; done\" }"
  await using rig = await SearchRig.open({}, SMALLEST.replace('ideas: ideas/*.md', propose))
  const { manifest, outcome } = await rig.run({ maxConcurrency: 2 })
  assert.equal(outcome.status, 'completed')
  assert.deepEqual(manifest.proposals.find(({ node_id }) => node_id === 'root')?.ideas, [
    'proposed/root/p1.md',
    'proposed/root/p2.md',
  ])
  assert.equal(manifest.nodes.find(({ node_id }) => node_id === manifest.best_node_id)?.score, 14)
})

test('a search whose money is used up ends with the best there is', async () => {
  const agent = 'command: sh agent.sh\n'
  const files = {
    'value.txt': '10\n',
    'score.sh': 'cat value.txt\n',
    'test.sh': 'true\n',
    'agent.sh': `echo $(( $(cat value.txt) + 1 )) > value.txt; printf '{"type":"usage","inputTokens":1,"outputTokens":1,"costUsd":1}\\n{"type":"outcome","status":"success","summary":"done"}\\n'\n`,
  }
  const text = `${SMALLEST.replace('[{ run: sh "$ESPALIER_IDEA" }]', '[{ prompt: Try it. }]')}${agent}budgetUsd: 2\n`
  await using rig = await SearchRig.open({ a: 'a', b: 'b', c: 'c', d: 'd' }, text, files)
  const { outcome, manifest } = await rig.run()
  assert.equal(outcome.status, 'completed')
  assert.equal(manifest.cost_usd, 2)
  assert.equal(rig.repository.git('show', `${outcome.branch}:value.txt`), '11')
  assert.equal(manifest.evals.filter(({ task_state }) => task_state === 'completed').length, 2)
})
