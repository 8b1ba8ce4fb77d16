// Work that an earlier run did and that is not in the commit the next one would start from.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { resolveSettings } from '../../../src/config.ts'
import { readUnlanded } from '../../../src/engine/history/unlanded-work.ts'
import { inspectBeforeRun, listRuns, openRun, readPlan } from '../../../src/index.ts'
import { cleanState, planOrigin } from '../../../src/internal.ts'
import { makeSettings } from '../../rig/plan.ts'
import { makeRepository, type TestRepository } from '../../rig/repository.ts'
import { workspaceAt } from '../../rig/workspace-at.ts'

const SETTINGS = makeSettings({ command: 'cat >/dev/null; echo x > "$ESPALIER_TASK.txt"' })

class Project implements AsyncDisposable {
  readonly repository: TestRepository

  private constructor(repository: TestRepository) {
    this.repository = repository
  }

  static async open(): Promise<Project> {
    return new Project(await makeRepository())
  }

  /** What a run of the file with these subtasks would be given. The file is in `top`, or in the repository. */
  plan(subtasks: Record<string, 'pending' | 'completed'>, top = this.repository.top) {
    const list = Object.entries(subtasks).map(([id, status]) => ({ id, description: `Do ${id}`, status }))
    const phases = [{ phase: 1, parallel_safe: false, subtasks: list }]
    const [file, text] = [join(top, 'plan.json'), JSON.stringify({ feature: 'plan', phases })]
    writeFileSync(file, text)
    const read = readPlan(text, file, SETTINGS)
    assert.ok(read.ok, JSON.stringify(read))
    const { plan, source } = read.value
    const origin = planOrigin(source, [{ file, text }], null)
    assert.ok(origin)
    return { plan, settings: SETTINGS, planFile: file, origin }
  }

  async run(subtasks: Parameters<Project['plan']>[0], base?: string, settings = SETTINGS): Promise<void> {
    const opened = await openRun(await workspaceAt(this.repository.top), { ...this.plan(subtasks), base, settings })
    assert.ok(opened.ok, JSON.stringify(opened))
    await using run = opened.value
    assert.equal((await run.execute()).status, 'completed')
  }

  /** By branch: what of these subtasks is not in the base. */
  async unlanded(
    subtasks: Parameters<Project['plan']>[0],
    { base, top }: { base?: string; top?: string } = {},
  ): Promise<Record<string, string[]>> {
    const found = await readUnlanded(await workspaceAt(top ?? this.repository.top), {
      ...this.plan(subtasks, top),
      base,
    })
    assert.ok(found.ok, JSON.stringify(found))
    return Object.fromEntries(found.value.map(({ branch, tasks }) => [branch, tasks]))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.repository[Symbol.asyncDispose]()
  }
}

test('a run does not begin where work is missing that its plan file calls done', async () => {
  await using project = await Project.open()
  const { repository } = project
  await project.run({ a: 'pending', b: 'pending' })
  const next = { a: 'completed', b: 'completed', 'by-hand': 'completed', c: 'pending' } as const
  const options = project.plan(next)
  const before = repository.git('for-each-ref')
  const workspace = await workspaceAt(repository.top)
  const opened = await openRun(workspace, options)
  assert.ok(!opened.ok)
  const [problem] = opened.problems
  assert.equal(problem?.file, options.planFile)
  assert.match(problem?.message ?? '', /^`a` and `b` are done .* on espalier\/plan-1, .*`espalier land plan-1` brings/s)
  assert.deepEqual((await inspectBeforeRun(workspace, options)).refusals, opened.problems)
  assert.equal(repository.git('for-each-ref'), before)
  const runs = await listRuns(await workspaceAt(repository.top))
  assert.equal(runs.ok && runs.value.length, 1)

  // Whoever says where to start knows.
  assert.deepEqual((await inspectBeforeRun(workspace, { ...options, base: 'HEAD' })).refusals, [])
  assert.deepEqual(
    (await inspectBeforeRun(workspace, { ...options, plan: { ...options.plan, base: 'main' } })).refusals,
    [],
  )
  assert.deepEqual(await project.unlanded(next), { 'espalier/plan-1': ['a', 'b'] })
  assert.deepEqual(await project.unlanded(next, { base: 'espalier/plan-1' }), {})
  // What nobody has done yet is not missed.
  assert.deepEqual(await project.unlanded({ a: 'pending', b: 'completed' }), { 'espalier/plan-1': ['b'] })
  assert.deepEqual(await project.unlanded({ 'by-hand': 'completed', c: 'pending' }), {})

  // Another checkout of the same repository has the same file.
  const other = repository.at('other')
  repository.git('worktree', 'add', '-q', '--detach', other)
  assert.deepEqual(await project.unlanded(next, { top: other }), { 'espalier/plan-1': ['a', 'b'] })

  repository.git('merge', '-q', 'espalier/plan-1')
  assert.deepEqual((await inspectBeforeRun(workspace, project.plan(next))).refusals, [])
  assert.deepEqual(await project.unlanded(next, { base: 'HEAD^' }), { 'espalier/plan-1': ['b'] })
  repository.git('branch', '-q', '-D', 'espalier/plan-1')
  assert.deepEqual(await project.unlanded(next, { base: 'HEAD^' }), {}, 'somebody has thrown the branch away')
})

test('of several runs as few branches are named as hold all the work', async () => {
  await using project = await Project.open()
  const { repository } = project
  await project.run({ a: 'pending' })
  await project.run({ a: 'completed', b: 'pending' }, 'espalier/plan-1')
  const both = { a: 'completed', b: 'completed', c: 'pending' } as const
  assert.deepEqual(await project.unlanded(both), { 'espalier/plan-2': ['a', 'b'] })

  await project.run(both, 'HEAD')
  const all = { a: 'completed', b: 'completed', c: 'completed' } as const
  assert.deepEqual(await project.unlanded(all), { 'espalier/plan-2': ['a', 'b'], 'espalier/plan-3': ['c'] })

  repository.git('merge', '-q', '--squash', 'espalier/plan-2')
  repository.git('commit', '-q', '-m', 'a and b')
  assert.deepEqual(await project.unlanded(all), { 'espalier/plan-3': ['c'] })

  // Done again by a newer run, whose work is in the branch: whatever became of the older one.
  await project.run({ ...all, c: 'pending' })
  repository.git('merge', '-q', 'espalier/plan-4')
  assert.deepEqual(await project.unlanded(all), {})
})

test('work is missed also when the run that did it was removed, as long as its branch is there', async () => {
  await using project = await Project.open()
  const { repository } = project
  const clean = async () => cleanState(await workspaceAt(repository.top), { all: true })
  await project.run({ a: 'pending' })
  await project.run({ a: 'completed', b: 'pending' }, 'HEAD')
  const cleaned = await clean()
  assert.ok(cleaned.ok)
  assert.deepEqual(
    cleaned.value.removed.map(({ unlanded }) => unlanded),
    ['espalier/plan-2', 'espalier/plan-1'],
  )
  const next = { a: 'completed', b: 'completed', 'by-hand': 'completed', c: 'pending' } as const
  assert.deepEqual(await project.unlanded(next), { 'espalier/plan-1': ['a'], 'espalier/plan-2': ['b'] })
  const opened = await openRun(await workspaceAt(repository.top), project.plan(next))
  assert.ok(!opened.ok)
  assert.match(
    opened.problems[0]?.message ?? '',
    /^`a` is done .* on espalier\/plan-1, .*`git merge espalier\/plan-1`/s,
  )

  // The newest run that did a task counts, whether it was removed or not.
  repository.git('merge', '-q', '-m', 'b', 'espalier/plan-2')
  await project.run({ a: 'pending', b: 'completed' })
  assert.deepEqual(await project.unlanded(next), { 'espalier/plan-3': ['a'] })
  repository.git('merge', '-q', '-m', 'a', 'espalier/plan-3')
  assert.deepEqual(await project.unlanded(next), {})
  const landed = await clean()
  assert.ok(landed.ok)
  assert.deepEqual(landed.value.removed[0]?.unlanded, null)
  assert.deepEqual(await project.unlanded(next, { base: 'HEAD^' }), { 'espalier/plan-3': ['a'] })
  repository.git('branch', '-q', '-D', 'espalier/plan-3')
  assert.deepEqual(await project.unlanded(next, { base: 'HEAD^' }), {}, 'somebody has thrown the branch away')
})

test('a run that is past `history` is removed at the end of another, and its work is missed all the same', async () => {
  await using project = await Project.open()
  const { repository } = project
  const workspace = await workspaceAt(repository.top)
  const known = () => workspace.readViews([], async (views) => (await views.landedTasks(0)).map(({ run }) => run))
  await project.run({ a: 'pending' })
  await project.run({ b: 'pending' }, undefined, { ...SETTINGS, history: { runs: 1, days: null } })
  const runs = await listRuns(workspace)
  assert.deepEqual(runs.ok && runs.value.map(({ run }) => run), ['plan-2'])
  assert.deepEqual(await known(), { ok: true, value: ['plan-2', 'plan-1'] })
  assert.deepEqual(await project.unlanded({ a: 'completed', c: 'pending' }), { 'espalier/plan-1': ['a'] })

  // With its branch goes what is known of it, when the next one is removed.
  repository.git('branch', '-q', '-D', 'espalier/plan-1')
  assert.ok((await cleanState(workspace, { run: 'plan-2' })).ok)
  assert.deepEqual(await known(), { ok: true, value: ['plan-2'] })
  assert.deepEqual(await project.unlanded({ b: 'completed', c: 'pending' }), { 'espalier/plan-2': ['b'] })
})

test('without a run, or in a format of its own, there is nothing to look for', async () => {
  await using project = await Project.open()
  assert.deepEqual(await project.unlanded({ a: 'completed' }), {})
  const own = readPlan('tasks:\n  - { id: a, run: "true" }\n', 'espalier.yaml', resolveSettings([]).settings)
  assert.ok(own.ok)
  assert.equal(planOrigin(own.value.source, [], null), null)
  assert.deepEqual(await readUnlanded(await workspaceAt(project.repository.top), { origin: null }), {
    ok: true,
    value: [],
  })
})
