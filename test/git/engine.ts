// Steps that every test of git/ takes.
import assert from 'node:assert/strict'
import { type EngineRepository, openEngineRepository } from '../../src/git/engine/engine-repository.ts'
import { type PrepareOptions, prepare } from '../../src/git/slots/prepare-slot.ts'
import { lease as leaseSlot, type Slot } from '../../src/git/slots/slot.ts'
import { type Snapshot, snapshot } from '../../src/git/slots/snapshot.ts'
import { inspect } from '../../src/git/user/repository.ts'
import type { TestRepository } from '../rig/repository.ts'

export async function openEngine(repository: TestRepository, top = repository.top): Promise<EngineRepository> {
  const user = await inspect(top)
  assert.ok(user.ok, JSON.stringify(user))
  return openEngineRepository(repository.state, user.value)
}

export type Leased = { slot: Slot; path: string; repaired: boolean; needsSetup: boolean }

export async function lease(
  engine: EngineRepository,
  number = 1,
  commit = engine.user.head,
  options: Partial<PrepareOptions> = {},
): Promise<Leased> {
  const slot = leaseSlot(engine, 'attempt', number)
  const prepared = await prepare(slot, commit, { branch: 'espalier/task', ...options })
  return { ...prepared, slot, path: slot.path }
}

export async function take(slot: Slot, base = slot.engine.user.head, task = 'task'): Promise<Snapshot> {
  return snapshot(slot, { base, run: 'run', task, attempt: 1, title: `Do ${task}` })
}

export async function taken(slot: Slot, base?: string, task?: string) {
  const result = await take(slot, base, task)
  assert.ok(result.ok, JSON.stringify(result))
  return result
}

/** A commit with these changes made by an agent in a slot, on top of `base`. */
export async function workOn(
  engine: EngineRepository,
  base: string,
  task: string,
  change: (path: string) => Promise<void>,
  number = 1,
): Promise<string> {
  const { slot, path } = await lease(engine, number, base)
  await change(path)
  const { commit } = await taken(slot, base, task)
  assert.ok(commit)
  return commit
}
