// A plan file after other runs of it: what a person is told before a run, what is not done again, what is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runPlan } from '../../../src/index.ts'
import { openProject, planText } from './project.ts'

test('what landed in the last run of a plan without statuses is named, with the way to do only the rest', async () => {
  const plan = 'name: shop\ntasks:\n  - { id: a, prompt: a }\n  - { id: b, prompt: b }\n'
  await using shop = await openProject(plan, 'plan.yaml')
  const { repository, warned } = shop
  assert.deepEqual(await warned(), [], 'nothing has run yet')
  assert.doesNotMatch(await shop.run('b', 1, 'run plan.yaml'), /warning/)
  const again = 'this run repeats a, which landed in run shop-1'
  const instead = 'Instead: `espalier retry --run shop-1` (retry b), with `--replan` as the plan is written now'
  assert.deepEqual(await warned(), [`${again}. ${instead}`])
  await repository.write('other.yaml', plan)
  assert.doesNotMatch(await shop.type(0, 'run other.yaml --dry-run --command true'), /repeats/)
  repository.git('worktree', 'add', '-q', '--detach', repository.at('elsewhere'))
  await shop.type(0, 'run ../elsewhere/plan.yaml --repo ../elsewhere --dry-run --command true', again)
  shop.edit(/.*id: a.*\n/, '')
  assert.deepEqual(await warned(), [], 'the rest of the plan only')
  shop.write(plan)
  await shop.run('', 0, 'run plan.yaml')
  assert.deepEqual(await warned(), [], 'all of the last run succeeded')
})

test('work that was not landed: plan check and a run with nothing left warn, a run with more is refused', async () => {
  await using tea = await openProject(planText('a.x'))
  const { file, repository, lacks } = tea
  assert.deepEqual(await tea.warned(), [], 'without a run there is nothing to look for')
  await tea.does('a b')
  const what = '`a`, `b` are done by the plan file, but their work is not in HEAD'
  const where = `${what}: it is on espalier/plan-1, which was not landed`
  const land = '`espalier land plan-1` brings it onto your branch'
  const warning = `${file}: warning: ${where}. ${land}\n`
  await tea.run('', 0, 'run plan.json', `Nothing left to do\n${warning}`)

  const next = 'a.x b.x by-hand.x c'
  tea.write(planText(next))
  const ways = ['`--base espalier/plan-1` starts the new run from there', '`--base HEAD` starts it without that work']
  const choice = [where, land, ...ways].join('\n  ')
  const refs = repository.git('for-each-ref')
  assert.doesNotMatch(await tea.run('', 2, 'run plan.json', `${file}: ${choice}\n`), /warning/)
  const refused = await runPlan(file, { repo: repository.top, settings: { command: 'true' } })
  assert.equal(refused.ok ? '' : refused.problems[0]?.message, choice)
  assert.equal(repository.git('for-each-ref'), refs)
  await tea.type(0, 'plan check plan.json', `${file}: warning: ${choice}\n`)
  await tea.run('', 0, 'run plan.json --dry-run', `${file}: warning: ${choice}\n`)
  await tea.run('', 0, 'run plan.json --base HEAD', warning, /^plan-2 /m) // the one that was refused left nothing

  assert.deepEqual(await lacks(next, '--base espalier/plan-1'), [])
  assert.deepEqual(await lacks('a b.x by-hand.x'), ['plan-1: b'], 'not what is open, or a person did')
  repository.git('worktree', 'add', '-q', '--detach', repository.at('other'))
  await repository.write('../other/plan.json', planText(next))
  await tea.type(0, 'plan check ../other/plan.json --repo ../other', where)
  repository.git('merge', '-q', 'espalier/plan-1')
  assert.deepEqual(await lacks(next), [])
  assert.deepEqual(await lacks(next, '--base HEAD^'), ['plan-1: b'])
  repository.git('branch', '-q', '-D', 'espalier/plan-1')
  assert.deepEqual(await lacks(next, '--base HEAD^'), [], 'somebody has thrown the branch away')
})

test('of several runs as few branches are named as hold all the work, and a squash counts as landed', async () => {
  await using tea = await openProject(planText('a'))
  const { repository, lacks } = tea
  await tea.does('a')
  await tea.does('a.x b', '--base espalier/plan-1')
  assert.deepEqual(await lacks('a.x b.x c'), ['plan-2: a b'])
  await tea.does('a.x b.x c', '--base HEAD')
  assert.deepEqual(await lacks('a.x b.x c.x'), ['plan-2: a b', 'plan-3: c'])
  tea.write(planText('a.x b.x c.x d'))
  const each = /`espalier land plan-2`.*`c` is done by the plan file, but its work .*`espalier land plan-3`/s
  assert.doesNotMatch(await tea.run('', 2, 'run plan.json', each), /--base espalier/, 'no branch has it all')
  repository.git('merge', '-q', '--squash', 'espalier/plan-2')
  repository.git('commit', '-q', '-m', 'a and b')
  assert.deepEqual(await lacks('a.x b.x c.x'), ['plan-3: c'])
  // Done again by a newer run, whose work is in the branch: whatever became of the older one.
  await tea.does('a.x b.x c')
  repository.git('merge', '-q', 'espalier/plan-4')
  assert.deepEqual(await lacks('a.x b.x c.x'), [])
})

test('a file that was put back to what it was, and runs that were removed: what landed before is known, with its branch', async () => {
  await using tea = await openProject(planText('a b'))
  const { repository, warned } = tea
  await tea.run('b', 1, 'run plan.json --no-write-back')
  assert.equal(tea.read(), planText('a b'))
  const [first = ''] = await warned()
  assert.match(first, /repeats `a`, which landed in run plan-1\. Instead: `espalier retry --run plan-1`/)
  tea.write(planText('a.x b'))
  await tea.run('', 2, 'run plan.json', '\n  `espalier retry --run plan-1` to retry b\n  `espalier land')
  await tea.does('a.x b', '--base HEAD')

  tea.write(planText('a b'))
  const again = 'this run repeats `a`, `b`, which landed in earlier runs (plan-2, plan-1)'
  const warning = `${again}. To leave them out, mark them as done in the file`
  assert.deepEqual(await warned(), [warning])
  await tea.type(0, 'clean --run plan-1')
  assert.deepEqual(await warned(), [warning])
  tea.write(planText('a b').replace('Do b', 'Do more'))
  assert.match((await warned()).join(), /^this run repeats `a`, which/, 'in other words it is another task')

  assert.deepEqual(await tea.lacks('a.x b.x c'), ['plan-1: a', 'plan-2: b'])
  tea.write(planText('a.x c'))
  await tea.run('', 2, 'run plan.json', /`a` is done .*`git merge espalier\/plan-1` brings/s)
  // With its branch goes what is known of a run that was removed.
  repository.git('branch', '-q', '-D', 'espalier/plan-1')
  await tea.type(0, 'clean --run plan-2', 'espalier/plan-2')
  tea.write(planText('a b'))
  const only = 'this run repeats `b`, which landed in run plan-2. To leave it out, mark it as done in the file'
  assert.deepEqual(await warned(), [only])
})

test('what another run has landed since is not done again: retry leaves it out, and what is dropped from the plan fails no run', async () => {
  await using shop = await openProject(planText('a b c d', true))
  for (const [n, failing] of ['b c d', 'c d'].entries()) {
    await shop.run(failing, 1, 'run plan.json')
    await shop.type(0, `land plan-${n + 1}`)
  }
  const dropped = 'b was dropped: run plan-2 has landed it since'
  await shop.run('c d', 1, 'retry --run plan-1', 'retrying 2 tasks: c, d', dropped, '- done in the file: b\n')
  shop.edit(/,\s*\{\s*"id": "d"[^}]*\}/, '')
  const gone = 'd was dropped: it is not in the plan any more'
  assert.doesNotMatch(await shop.run('', 0, 'retry --run plan-1 --replan', '- gone: d\n', gone), /d started/)
})

test('where nothing is left to try again, nobody is sent there, and retry says why', async () => {
  await using shop = await openProject(planText('y x'))
  await shop.run('y', 1, 'run plan.json')
  await shop.run('x', 1, 'run plan.json')
  const status = await shop.type(0, 'status plan-1', '✓ landed by run plan-2 since: y')
  assert.doesNotMatch(status, /espalier retry/, 'x needs y, which is on the branch of plan-2')
  const stuck = 'x needs y, which is not done here, because run plan-2 has landed it since. `espalier retry y'
  await shop.type(2, 'retry --run plan-1', stuck)
  await shop.type(0, 'land plan-2')
  await shop.run('', 0, 'run plan.json')
  const since = 'y landed in run plan-2 since, x landed in run plan-3 since'
  await shop.type(2, 'retry --run plan-1', `nothing of run plan-1 is left to try again: ${since}\n`)
  await shop.type(0, 'land plan-2', /main already has .*\nLanded by other runs: x \(plan-3\)\n/)
})

test('a changed plan is not taken over where the branch lacks what the file calls done, until nothing needs it', async () => {
  await using shop = await openProject(planText('a b c d'))
  await shop.run('c', 1, 'run plan.json')
  shop.edit(/("id": "c",[^}]*"status": )"\w+"/, '$1"completed"')
  const before = shop.repository.git('for-each-ref')
  const lacking = /`c` is done by the plan file, but not by run plan-1: .* and `d` needs it\n/
  const refused = await shop.run('', 2, 'retry --replan', lacking, '`espalier land plan-1`, then a new run of the plan')
  assert.doesNotMatch(refused, /plan changes applied/)
  assert.equal(shop.repository.git('for-each-ref'), before)
  const now = JSON.parse(shop.read())
  now.phases[0].subtasks.reverse()
  shop.write(JSON.stringify(now))
  // It failed, and somebody else has done it.
  await shop.run('', 0, 'retry --replan', '- done in the file: c\n', 'c was dropped: it is done in the plan file')
  assert.equal(shop.statuses(), 'd completed c completed b completed a completed')
})
