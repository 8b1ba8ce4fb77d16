// One place of the worktree pool: `<state>/slots/<n>/` is the checkout an agent works in, and beside it, out of the way
// of whatever the agent does in there, what the engine knows: its index, the ignore patterns for snapshots, a note.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { writeAtomically } from '../../files/write-atomically.ts'
import type { EngineRepository } from '../engine/repository.ts'
import type { GitOptions } from '../run/git.ts'

export type Slot = {
  number: number
  engine: EngineRepository
  path: string
  index: string
  exclude: string
  note: string
}

export function slotOf(engine: EngineRepository, number: number): Slot {
  if (!Number.isInteger(number) || number < 1) throw new Error(`not the number of a slot: ${number}`)
  const path = join(engine.stateDir, 'slots', String(number))
  return { number, engine, path, index: `${path}.index`, exclude: `${path}.exclude`, note: `${path}.json` }
}

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
  const text = await readFile(slot.note, 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return noteSchema.parse(JSON.parse(text))
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
