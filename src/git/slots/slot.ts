// One place of the worktree pool: `<state>/slots/<name>/` is the checkout an agent or a verification works in, and beside
// it, out of the way of whatever is done in there, what the engine knows: its index, the ignore patterns for snapshots, a
// note.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { readSealed, type Seal, writeSealed } from '../../files/sealed.ts'
import type { EngineRepository } from '../engine/repository.ts'
import type { GitOptions } from '../run/git.ts'
import { isMachineTrouble } from '../run/machine-trouble.ts'

/** What a place is for. Each kind has places of its own, so that neither ever waits for the other. */
type SlotKind = 'attempt' | 'verification'

export type Slot = {
  kind: SlotKind
  /** Counted from 1 within its kind. */
  number: number
  /** Of its folder. */
  name: string
  engine: EngineRepository
  /** Another one where the one before it could not be used any more, nor moved out of the way (set-aside.ts). */
  path: string
  index: string
  exclude: string
  note: string
}

/** The place with that number; who has it is the scheduler's decision. */
export function lease(engine: EngineRepository, kind: SlotKind, number: number): Slot {
  if (!Number.isInteger(number) || number < 1) throw new Error(`not the number of a slot: ${number}`)
  const name = kind === 'attempt' ? String(number) : `verification-${number}`
  const own = join(slotsFolder(engine), name)
  const files = { index: `${own}.index`, exclude: `${own}.exclude`, note: `${own}.json` }
  return { kind, number, name, engine, path: currentFolder(engine, name), ...files }
}

export function slotsFolder({ stateDir }: Pick<EngineRepository, 'stateDir'>): string {
  return join(stateDir, 'slots')
}

/** Of the slot of that name: `<name>`, or `<name>~2` where it has moved. */
export function currentFolder(engine: Pick<EngineRepository, 'stateDir'>, name: string): string {
  const number = readNumber(folderNote({ engine, name }))
  return join(slotsFolder(engine), number === null ? name : `${name}~${number}`)
}

export function isCurrentFolder(engine: Pick<EngineRepository, 'stateDir'>, folder: string): boolean {
  const [name = ''] = folder.split('~')
  return SLOT_NAME.test(name) && currentFolder(engine, name) === join(slotsFolder(engine), folder)
}

/** What says where a slot has moved; mostly there is none. */
export function folderNote({ engine, name }: { engine: Pick<EngineRepository, 'stateDir'>; name: string }): string {
  return join(slotsFolder(engine), `${name}.folder`)
}

/** For that note: a folder that does not exist yet. */
export function nextFolder({ engine, name }: Slot): string {
  let number = (readNumber(folderNote({ engine, name })) ?? 1) + 1
  while (existsSync(join(slotsFolder(engine), `${name}~${number}`))) number++
  return String(number)
}

function readNumber(file: string): number | null {
  try {
    const [number] = /^\d{1,6}$/.exec(readFileSync(file, 'utf8')) ?? []
    return number === undefined ? null : Number(number)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
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
  ownPaths: z.array(z.string()),
  /** The hash at the end of the engine's index, as the engine left it; null: it is to be made again. */
  indexHash: z.string().nullable(),
  /** What that hash was when `commit` had just been checked out. */
  commitIndexHash: z.string().nullable(),
})
export type SlotNote = z.infer<typeof noteSchema>

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/**
 * Null if there is none or the engine did not write it: the slot is then built anew. What this process has written itself
 * it does not read back.
 */
export async function readSlotNote(slot: Slot): Promise<SlotNote | null> {
  const known = written.get(slot.note)
  if (known && existsSync(slot.note)) return known
  try {
    const text = readSealed(slot.note, sealOf(slot))
    return text === null ? null : noteSchema.parse(JSON.parse(text))
  } catch (error) {
    if (isMachineTrouble(error) && !isMissing(error)) throw error
    return null
  }
}

export async function writeSlotNote(slot: Slot, note: SlotNote): Promise<void> {
  await writeSealed(slot.note, JSON.stringify(note), sealOf(slot))
  written.set(slot.note, note)
}

/** By path: as many as there are slots. */
const written = new Map<string, SlotNote>()

function sealOf({ engine, name }: Slot): Seal {
  return { key: engine.key, about: `slot ${name}` }
}

/** Git on the slot's files with the engine's repository and index, never with the agent's `.git`. */
export function inSlot(slot: Slot): GitOptions {
  return { gitDir: slot.engine.gitDir, workTree: slot.path, index: slot.index, cwd: slot.path }
}
