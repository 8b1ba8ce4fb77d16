// A repository in which something is known already.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lesson } from '../../src/learning-records.ts'
import type { LearningStore } from '../../src/store/learning.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { makeRepository, type RepositoryOptions, type TestRepository } from '../rig/repository.ts'

export async function knowing(lessons: Lesson[], options: RepositoryOptions = {}): Promise<TestRepository> {
  const repository = await makeRepository(options)
  await mkdir(stateOf(repository))
  await using store = await storeOf(repository)
  await learnLessons(store, lessons)
  return repository
}

export async function learnLessons(store: LearningStore, lessons: Lesson[]): Promise<void> {
  await store.learn((known) => {
    for (const one of lessons) known.set(one.id, one)
    return { touched: lessons.map(({ id }) => id) }
  })
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
