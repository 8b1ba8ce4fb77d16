// One slot of the worktree pool: `<state>/slots/<name>/` is the checkout of an agent or a verification, and beside it,
// out of its way, are the engine's index, the ignore patterns for snapshots and a note.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { makeWritable } from '../../files/remove-tree.ts'
import { readSealed, type Seal, writeSealed } from '../../files/sealed.ts'
import { writeAtomically } from '../../files/write-atomically.ts'
import type { EngineRepository } from '../engine/engine-repository.ts'
import { GitFailure, type GitOptions, git } from '../run/git.ts'
import { isMachineTrouble } from '../run/machine-trouble.ts'

export type Slot = {
  /** Each kind has slots of its own, so that neither ever waits for the other. */
  kind: 'attempt' | 'verification'
  /** From 1, within its kind. */
  number: number
  name: string
  engine: EngineRepository
  /** Changes if the folder could be neither used any more nor moved out of the way (folders-set-aside.ts). */
  path: string
  index: string
  exclude: string
  note: string
}

/** The slot with that number; the scheduler decides who has it. */
export function lease(engine: EngineRepository, kind: Slot['kind'], number: number): Slot {
  if (!Number.isInteger(number) || number < 1) throw new Error(`not the number of a slot: ${number}`)
  const name = kind === 'attempt' ? String(number) : `verification-${number}`
  const own = join(slotsFolder(engine), name)
  const files = { index: `${own}.index`, exclude: `${own}.exclude`, note: `${own}.json` }
  return { kind, number, name, engine, path: currentFolder(engine, name), ...files }
}

export function slotsFolder({ stateDir }: Pick<EngineRepository, 'stateDir'>): string {
  return join(stateDir, 'slots')
}

/** `<name>`, or `<name>~2` if the slot has moved. */
export function currentFolder(engine: Pick<EngineRepository, 'stateDir'>, name: string): string {
  const number = readNumber(folderNote({ engine, name }))
  return join(slotsFolder(engine), number === null ? name : `${name}~${number}`)
}

export function isCurrentFolder(engine: Pick<EngineRepository, 'stateDir'>, folder: string): boolean {
  const [name = ''] = folder.split('~')
  return SLOT_NAME.test(name) && currentFolder(engine, name) === join(slotsFolder(engine), folder)
}

/** File that says where a slot has moved; usually there is none. */
export function folderNote({ engine, name }: { engine: Pick<EngineRepository, 'stateDir'>; name: string }): string {
  return join(slotsFolder(engine), `${name}.folder`)
}

/** Number of a folder that does not exist yet, for that file. */
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

/** The slot of a folder name; null: none. */
export function slotNamed(engine: EngineRepository, name: string): Slot | null {
  const [, verification, number] = SLOT_NAME.exec(name) ?? []
  return number === undefined ? null : lease(engine, verification ? 'verification' : 'attempt', Number(number))
}

const SLOT_NAME = /^(verification-)?([1-9]\d{0,8})$/

const noteSchema = z.object({
  /** Commit that is checked out, and branch of the agent's own repository. */
  commit: z.string(),
  branch: z.string(),
  keep: z.array(z.string()),
  /** Files copied from the user's checkout: never committed. */
  included: z.array(z.string()),
  /** Key of the setup that ran here, and paths it made. */
  setupKey: z.string().nullable(),
  setupPaths: z.array(z.string()),
  /** Paths that the setup of the task itself made; they go with the task. */
  ownPaths: z.array(z.string()),
  /** State of the submodules that setup has filled (submodules.ts), by path. */
  submodules: z.record(z.string(), z.object({ print: z.string(), dirty: z.array(z.string()) })).default({}),
  /** Checksum of the engine's index, as the engine left it; null: the index is to be made again. */
  indexHash: z.string().nullable(),
  /** `indexHash` right after `commit` was checked out. */
  commitIndexHash: z.string().nullable(),
})
export type SlotNote = z.infer<typeof noteSchema>

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/**
 * Null: there is no note, or the engine did not write it, and the slot is built anew. Notes of this process are kept in
 * memory.
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

const written = new Map<string, SlotNote>()

function sealOf({ engine, name }: Slot): Seal {
  return { key: engine.key, about: `slot ${name}` }
}

/** Git on the slot's files with the engine's repository and index, never with the agent's `.git`. */
export function inSlot(slot: Slot): GitOptions {
  return { gitDir: slot.engine.gitDir, workTree: slot.path, index: slot.index, cwd: slot.path }
}

/** `git clean` on the slot's files, also if somebody took away the right to write to a folder. */
export async function cleanSlot(slot: Slot, flags: readonly string[], config: readonly string[] = []): Promise<void> {
  const clean = () => git([...config, 'clean', ...flags], inSlot(slot))
  try {
    await clean()
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    await makeWritable(slot.path)
    await clean()
  }
}

// Ignore patterns for paths of a slot that never land: caches (`keep`), files copied from the user's checkout, files
// that setup made, and those that the user's own git ignores.

export async function writeIgnoreFile(slot: Slot, note: SlotNote): Promise<string> {
  const paths = [...note.included, ...note.setupPaths, ...note.ownPaths]
  const lines = [...keepPatterns(note.keep), ...paths.map(literal)]
  const text = `${slot.engine.user.excludes}\n${lines.map((line) => line.replaceAll('\n', '?')).join('\n')}\n`
  await writeAtomically(slot.exclude, text)
  return text
}

/** Escapes `!` and `#`: a pattern cannot bring back what another one keeps, nor become a comment. */
export function keepPatterns(keep: readonly string[]): string[] {
  return keep.filter((glob) => glob.trim() !== '').map((glob) => glob.replace(/^[!#]/, '\\$&'))
}

/** Matches this one path, and all below it. */
export function literal(path: string): string {
  return `/${path.replace(/[\\*?[\]]/g, '\\$&').replace(/ $/, '\\ ')}`
}
