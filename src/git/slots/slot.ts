// One place of the worktree pool: `<state>/slots/<name>/` is the checkout an agent or a verification works in, and beside
// it, out of the way of whatever is done in there, what the engine knows: its index, the ignore patterns for snapshots, a
// note.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { writeAtomically } from '../../files/write-atomically.ts'
import type { EngineRepository } from '../engine/repository.ts'
import type { GitOptions } from '../run/git.ts'

/** What a place is for. Each kind has places of its own, so that neither ever waits for the other. */
export type SlotKind = 'attempt' | 'verification'

export type Slot = {
  kind: SlotKind
  /** Counted from 1 within its kind. */
  number: number
  /** Of its folder. */
  name: string
  engine: EngineRepository
  path: string
  index: string
  exclude: string
  note: string
}

/** The place with that number; who has it is the scheduler's decision. */
export function lease(engine: EngineRepository, kind: SlotKind, number: number): Slot {
  if (!Number.isInteger(number) || number < 1) throw new Error(`not the number of a slot: ${number}`)
  const name = kind === 'attempt' ? String(number) : `verification-${number}`
  const path = join(engine.stateDir, 'slots', name)
  const files = { path, index: `${path}.index`, exclude: `${path}.exclude`, note: `${path}.json` }
  return { kind, number, name, engine, ...files }
}

/** The place whose folder has that name; null: no place has. */
export function slotNamed(engine: EngineRepository, name: string): Slot | null {
  const [, verification, number] = SLOT_NAME.exec(name) ?? []
  return number === undefined ? null : lease(engine, verification ? 'verification' : 'attempt', Number(number))
}

const SLOT_NAME = /^(verification-)?([1-9]\d{0,8})$/

const noteSchema = z.object({
  /** What is checked out, and on which branch of the agent's own repository. */
  commit: z.string(),
  branch: z.string(),
  keep: z.array(z.string()),
  /** Files copied from the user's checkout: never committed. */
  included: z.array(z.string()),
  /** Setup ran here with this key and made these paths. */
  setupKey: z.string().nullable(),
  setupPaths: z.array(z.string()),
  /** What the setup of the task itself made: it goes with the task. */
  ownPaths: z.array(z.string()).default([]),
})
export type SlotNote = z.infer<typeof noteSchema>

/** Null if there is none or it makes no sense: the slot is then built anew. */
export async function readSlotNote(slot: Slot): Promise<SlotNote | null> {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(slot.note, 'utf8')))
  } catch {
    return null
  }
}

export async function writeSlotNote(slot: Slot, note: SlotNote): Promise<void> {
  await writeAtomically(slot.note, JSON.stringify(note))
}

/** Git on the slot's files with the engine's repository and index, never with the agent's `.git`. */
export function inSlot(slot: Slot): GitOptions {
  return { gitDir: slot.engine.gitDir, workTree: slot.path, index: slot.index, cwd: slot.path }
}
