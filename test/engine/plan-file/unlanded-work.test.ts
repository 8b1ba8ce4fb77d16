// Work that an earlier run did and that is not in the commit the next one would start from.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readUnlanded, unlandedProblems } from '../../../src/engine/history/unlanded-work.ts'
import { cleanState } from '../../../src/engine/upkeep/clean.ts'
import { inspectBeforeRun, listRuns, openRun, readPlan } from '../../../src/index.ts'
import { formatProblem } from '../../../src/problem.ts'
import { planFileTasks } from '../../../src/workloads/formats/status/plan-file-tasks.ts'
import { makeSettings } from '../../rig/plan.ts'
import { makeRepository } from '../../rig/repository.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const SETTINGS = makeSettings({ command: 'cat >/dev/null; echo x > "$ESPALIER_TASK.txt"' })

async function project() {
  const repository = await makeRepository()
  const { top } = repository
  /** What a run of the file would be given; `next`: the subtasks, those that are done with an `x`: `a.x b`. */
  const plan = (next: string, where = top) => {
    const subtasks = next.split(' ').map((name) => {
      const [id = '', done] = name.split('.')
      return { id, description: `Do ${id}`, status: done ? 'completed' : 'pending' }
    })
    const [file, text] = [
      join(where, 'plan.json'),
      JSON.stringify({ feature: 'plan', phases: [{ phase: 1, subtasks }] }),
    ]
    writeFileSync(file, text)
    const read = readPlan(text, file, SETTINGS)
    assert.ok(read.ok, JSON.stringify(read))
    const origin = planFileTasks(read.value.source, [{ file, text }], null)
    return { plan: read.value.plan, settings: SETTINGS, planFile: file, origin }
  }
  const run = async (next: string, base?: string, settings = SETTINGS) => {
    const opened = await openRun(await workspaceAt(top), { ...plan(next), base, settings })
    assert.ok(opened.ok, JSON.stringify(opened))
    await using running = opened.value
    assert.equal((await running.execute()).status, 'completed')
  }
  /** `plan-1: a b`: by run, what of these subtasks is not in the base. */
  const unlanded = async (next: string, base?: string, where = top) => {
    const { origin } = plan(next, where)
    const found = await readUnlanded(await workspaceAt(where), { origin, base })
    assert.ok(found.ok, JSON.stringify(found))
    return found.value.map((work) => `${work.branch.slice('espalier/'.length)}: ${work.tasks.join(' ')}`)
  }
  return { repository, plan, run, unlanded, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() }
}

test('a run does not begin where work is missing that its plan file calls done', async () => {
  await using tea = await project()
  const { repository } = tea
  assert.deepEqual(await tea.unlanded('a.x'), [], 'without a run there is nothing to look for')
  await tea.run('a b')
  const next = 'a.x b.x by-hand.x c'
  const options = tea.plan(next)
  const before = repository.git('for-each-ref')
  const workspace = await workspaceAt(repository.top)
  const refusals = async (more: object = {}) => (await inspectBeforeRun(workspace, { ...options, ...more })).refusals
  const opened = await openRun(workspace, options)
  assert.ok(!opened.ok)
  const [problem] = opened.problems
  assert.equal(problem?.file, options.planFile)
  assert.match(problem?.message ?? '', /^`a`, `b` are done .* on espalier\/plan-1, .*`espalier land plan-1` brings/s)
  assert.deepEqual(await refusals(), opened.problems)
  assert.equal(repository.git('for-each-ref'), before)
  const runs = await listRuns(workspace)
  assert.equal(runs.ok && runs.value.length, 1)

  // Whoever says where to start knows.
  assert.deepEqual(await refusals({ base: 'HEAD' }), [])
  assert.deepEqual(await refusals({ plan: { ...options.plan, base: 'main' } }), [])
  assert.deepEqual(await tea.unlanded(next, 'espalier/plan-1'), [])
  // What nobody has done yet, or a person did, is not missed.
  assert.deepEqual(await tea.unlanded('a b.x by-hand.x'), ['plan-1: b'])
  // Another checkout of the same repository has the same file.
  repository.git('worktree', 'add', '-q', '--detach', repository.at('other'))
  assert.deepEqual(await tea.unlanded(next, undefined, repository.at('other')), ['plan-1: a b'])

  repository.git('merge', '-q', 'espalier/plan-1')
  tea.plan(next)
  assert.deepEqual(await refusals(), [])
  assert.deepEqual(await tea.unlanded(next, 'HEAD^'), ['plan-1: b'])
  repository.git('branch', '-q', '-D', 'espalier/plan-1')
  assert.deepEqual(await tea.unlanded(next, 'HEAD^'), [], 'somebody has thrown the branch away')
})

test('of several runs as few branches are named as hold all the work, and a squash counts as landed', async () => {
  await using tea = await project()
  const { repository } = tea
  await tea.run('a')
  await tea.run('a.x b', 'espalier/plan-1')
  assert.deepEqual(await tea.unlanded('a.x b.x c'), ['plan-2: a b'])
  await tea.run('a.x b.x c', 'HEAD')
  assert.deepEqual(await tea.unlanded('a.x b.x c.x'), ['plan-2: a b', 'plan-3: c'])
  repository.git('merge', '-q', '--squash', 'espalier/plan-2')
  repository.git('commit', '-q', '-m', 'a and b')
  assert.deepEqual(await tea.unlanded('a.x b.x c.x'), ['plan-3: c'])
  // Done again by a newer run, whose work is in the branch: whatever became of the older one.
  await tea.run('a.x b.x c')
  repository.git('merge', '-q', 'espalier/plan-4')
  assert.deepEqual(await tea.unlanded('a.x b.x c.x'), [])
})

test('work is missed also when the run that did it was removed, as long as its branch is there', async () => {
  await using tea = await project()
  const { repository } = tea
  const workspace = await workspaceAt(repository.top)
  const known = async () => {
    const read = await workspace.readViews([], async (views) =>
      (await views.landedTasks(['plan.json'])).map(({ run }) => run),
    )
    return read.ok ? read.value : []
  }
  await tea.run('a')
  await tea.run('a.x b', 'HEAD', { ...SETTINGS, history: { runs: 1, days: null } })
  const runs = await listRuns(workspace)
  assert.deepEqual(runs.ok && runs.value.map(({ run }) => run), ['plan-2'], 'the other one is past `history`')
  assert.deepEqual(await known(), ['plan-2', 'plan-1'])
  assert.deepEqual(await tea.unlanded('a.x b.x c'), ['plan-1: a', 'plan-2: b'])
  const opened = await openRun(workspace, tea.plan('a.x c'))
  assert.match(opened.ok ? '' : String(opened.problems[0]?.message), /^`a` is done .*`git merge espalier\/plan-1`/s)

  // The newest run that did a task counts. With its branch goes what is known of one that was removed.
  await tea.run('a b.x', 'HEAD')
  assert.deepEqual(await tea.unlanded('a.x b.x c'), ['plan-2: b', 'plan-3: a'])
  repository.git('branch', '-q', '-D', 'espalier/plan-1')
  const cleaned = await cleanState(workspace, { run: 'plan-2' })
  assert.deepEqual(cleaned.ok && cleaned.value.removed.map(({ unlanded }) => unlanded), ['espalier/plan-2'])
  assert.deepEqual(await known(), ['plan-3', 'plan-2'])
})

test('a refusal says how the run can be continued instead, and a base only where one branch has it all', () => {
  const work = { run: 'shop-1', branch: 'espalier/shop-1', isRemoved: false, next: null, tasks: ['1.1', '2'] }
  const refused = (...works: Parameters<typeof unlandedProblems>[0]) =>
    unlandedProblems(works, { planFile: 'tasks.json', base: null }, 'error').map(formatProblem).join('\n')
  const next = { kind: 'resume', command: 'espalier resume shop-1', what: 'continue where it stopped' } as const
  assert.match(
    refused({ ...work, next }),
    /\n {2}`espalier resume shop-1` to continue where it stopped\n {2}`espalier land/,
  )
  const both = refused(work, { ...work, run: 'shop-2', branch: 'espalier/shop-2', tasks: ['3'] })
  assert.match(both, /`espalier land shop-1`.*`3` is done by the plan file, but its work .*`espalier land shop-2`/s)
  assert.doesNotMatch(both, /--base espalier/, 'no branch has it all')
})
