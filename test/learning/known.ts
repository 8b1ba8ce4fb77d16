// A repository in which something is known already.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Audited, Lesson } from '../../src/lesson.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { makeRepository, type RepositoryOptions, type TestRepository } from '../rig/repository.ts'

export async function knowing(lessons: Lesson[], options: RepositoryOptions = {}): Promise<TestRepository> {
  const repository = await makeRepository(options)
  await mkdir(stateOf(repository))
  await using store = await storeOf(repository)
  const audit = lessons.map(
    ({ id, version }): Audited => ({ at: 1, lesson: id, action: 'learned', version, why: 'r1/a' }),
  )
  await store.learn(() => ({ lessons: { saved: lessons, dropped: [], audit } }))
  return repository
}

export async function storeOf(repository: TestRepository): Promise<Store> {
  const opened = await openStore(join(stateOf(repository), 'state.db'))
  assert.ok(opened.ok, JSON.stringify(opened))
  return opened.value
}

/** The folder the engine chooses by itself. */
export function stateOf(repository: TestRepository): string {
  return `${repository.top}.espalier`
}
