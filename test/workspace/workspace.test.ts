import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { inspect } from '../../src/git/user/repository.ts'
import { listRuns, openRun, openWorkspace } from '../../src/index.ts'
import { makePlan, makeSettings } from '../rig/plan.ts'
import { makeRepository, type TestRepository, temporaryFolder } from '../rig/repository.ts'
import { workspaceAt } from '../rig/workspace-at.ts'

test('is found from any folder in the checkout, also through a link, and refused outside of one', async () => {
  await using repository = await makeRepository()
  await mkdir(join(repository.top, 'deep', 'er'), { recursive: true })
  await symlink(join(repository.top, 'deep'), repository.at('link'))
  for (const repo of [
    repository.top,
    ...['deep/er', '.git/objects', '../link'].map((path) => join(repository.top, path)),
  ])
    assert.equal((await workspaceAt(repo)).repo, repository.top)
  await using outside = await temporaryFolder()
  const refused = await openWorkspace({ repo: outside.path })
  assert.match(JSON.stringify(refused), /is not inside a git repository: name one with --repo/)
  repository.git('init', '-q', '--bare', outside.path)
  const bare = await openWorkspace({ repo: outside.path })
  const below = await openWorkspace({ repo: outside.at('objects') })
  for (const one of [bare, below, await inspect(outside.path)])
    assert.match(JSON.stringify(one), /is a bare repository: run espalier in a checkout of it/)
})

test('a store that another process is just making is looked at again, once it is there', async () => {
  await using repository = await makeRepository()
  await using workspace = await workspaceAt(repository.top)
  await mkdir(workspace.folder.root)
  new DatabaseSync(workspace.folder.database).exec('pragma journal_mode = wal')
  assert.deepEqual(await listRuns(workspace), { ok: true, value: [] })
  const opened = await openRun(await workspaceAt(repository.top), {
    plan: makePlan([{ id: 'a', run: 'true' }]),
    settings: makeSettings(),
  })
  assert.ok(opened.ok)
  await using _run = opened.value
  const runs = await listRuns(workspace)
  assert.deepEqual(runs.ok && runs.value.map(({ run }) => run), ['plan-1'])
})

test('looking makes no state folder', async () => {
  await using repository = await makeRepository()
  await using workspace = await workspaceAt(repository.top)
  assert.deepEqual(await listRuns(workspace), { ok: true, value: [] })
  assert.equal(workspace.exists, false)
  assert.equal(workspace.engine, null)
  assert.equal(existsSync(workspace.folder.root), false)
})

test('what others do is seen by one that stays open, also a state folder that was removed and made anew', async () => {
  await using repository = await makeRepository()
  await using workspace = await workspaceAt(repository.top)
  await ranOnce(repository, 'first')
  assert.deepEqual(await names(), ['first-1'])
  await ranOnce(repository, 'second')
  assert.deepEqual(await names(), ['second-1', 'first-1'])
  await rm(workspace.folder.root, { recursive: true })
  assert.deepEqual(await names(), [])
  await ranOnce(repository, 'third')
  assert.deepEqual(await names(), ['third-1'])

  async function names(): Promise<string[]> {
    const runs = await listRuns(workspace)
    assert.ok(runs.ok, JSON.stringify(runs))
    return runs.value.map(({ run }) => run)
  }
})

async function ranOnce(repository: TestRepository, name: string): Promise<void> {
  const plan = { ...makePlan([{ id: 'a', run: 'true' }]), name }
  await using workspace = await workspaceAt(repository.top)
  const opened = await openRun(workspace, { plan, settings: makeSettings() })
  assert.ok(opened.ok, JSON.stringify(opened))
  await using run = opened.value
  await run.execute()
}
