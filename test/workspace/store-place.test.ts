// Which store a state folder belongs to.
import assert from 'node:assert/strict'
import { renameSync, statSync } from 'node:fs'
import { test } from 'node:test'
import { ok } from '../../src/problem.ts'
import { lockWorkspace } from '../../src/workspace/lock.ts'
import { notedStore } from '../../src/workspace/state-folder.ts'
import { openWorkspace, type Workspace } from '../../src/workspace/workspace.ts'
import { makeRepository, type TestRepository } from '../rig/repository.ts'
import { newRun } from '../store/contract.ts'

test('a store that an engine has used is found by the state folder alone, and only its owner can read which it is', async () => {
  await using repository = await makeRepository()
  const store = repository.at('elsewhere.db')
  assert.equal(await addRun(repository, 'r', store), null)
  const root = `${repository.top}.espalier`
  assert.equal(notedStore(root), store)
  assert.equal(statSync(`${root}/store.json`).mode & 0o777, 0o600)
  await using found = await workspaceOf(repository, null)
  assert.deepEqual(await found.readViews([], (views) => views.runIds()), ok(['r']))
})

test('a state folder does not leave its runs behind unknowingly', async () => {
  await using repository = await makeRepository()
  const [own, other] = [`${repository.top}.espalier/state.db`, repository.at('other.db')]
  assert.equal(await addRun(repository, 'r', null), null)
  const refused = await addRun(repository, 's', other)
  assert.match(
    refused ?? '',
    /the runs of .* are in .*state\.db, and r is not in .*other\.db: .* or move .*state\.db away/,
  )
  renameSync(own, repository.at('old.db'))
  assert.equal(await addRun(repository, 's', other), null)
  assert.match((await addRun(repository, 't', own)) ?? '', /s is not in .*state\.db: .* or move .*other\.db away/)
})

/** As an engine would. Why not, or null. */
async function addRun(repository: TestRepository, id: string, store: string | null): Promise<string | null> {
  await using workspace = await workspaceOf(repository, store)
  const added = await lockWorkspace(workspace, async (locked) => {
    await locked.store.createRun(newRun(id))
    return ok(locked)
  })
  if (!added.ok) return added.problems[0]?.message ?? ''
  await added.value.resources[Symbol.asyncDispose]()
  return null
}

async function workspaceOf(repository: TestRepository, store: string | null): Promise<Workspace> {
  const opened = await openWorkspace({ repo: repository.top, store })
  assert.ok(opened.ok)
  return opened.value
}
