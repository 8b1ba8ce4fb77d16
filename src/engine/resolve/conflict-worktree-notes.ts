// Notes about the worktrees in which people resolve conflicts, in the state folder, named after the conflict. Git's own folder
// for such a worktree has the way back to its run: people type commands in there.
import { readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import * as z from 'zod'
import { writeAtomically } from '../../files/write-atomically.ts'
import type { StateFolder } from '../../workspace/state-folder.ts'

const note = z.object({
  run: z.string(),
  task: z.string(),
  /** The commit; see git/landing/conflict.ts. */
  conflict: z.string(),
  /** Null: given up without one. */
  path: z.string().nullable(),
  answered: z.boolean(),
})
export type ResolvingNote = z.infer<typeof note>

export async function readConflictNote(folder: StateFolder, conflict: string): Promise<ResolvingNote | null> {
  try {
    return note.parse(JSON.parse(await readFile(fileOf(folder, conflict), 'utf8')))
  } catch {
    return null
  }
}

export async function writeConflictNote(folder: StateFolder, said: ResolvingNote): Promise<void> {
  await writeAtomically(fileOf(folder, said.conflict), JSON.stringify(said))
}

export async function removeNote(folder: StateFolder, { conflict }: ResolvingNote): Promise<void> {
  await rm(fileOf(folder, conflict), { force: true })
}

export async function listNotes(folder: StateFolder): Promise<ResolvingNote[]> {
  const names = await readdir(folder.resolving).catch(() => [])
  const ids = names.flatMap((name) => /^([0-9a-f]{40,64})\.json$/.exec(name)?.[1] ?? [])
  return (await Promise.all(ids.map((id) => readConflictNote(folder, id)))).filter((found) => found !== null)
}

function fileOf(folder: StateFolder, conflict: string): string {
  return join(folder.resolving, `${conflict}.json`)
}

const home = z.object({ repo: z.string(), stateDir: z.string(), run: z.string(), task: z.string() })

export async function writeHome(path: string, said: z.infer<typeof home>): Promise<void> {
  const gitDir = await gitDirOf(path)
  if (gitDir !== null) await writeAtomically(join(gitDir, HOME), JSON.stringify(said))
}

/** Null: `folder` is not inside such a worktree. */
export async function conflictHome(folder: string): Promise<z.infer<typeof home> | null> {
  for (let parent = resolve(folder); ; parent = dirname(parent)) {
    const gitDir = await gitDirOf(parent)
    if (gitDir !== null) {
      try {
        return home.parse(JSON.parse(await readFile(join(gitDir, HOME), 'utf8')))
      } catch {
        return null
      }
    }
    if (dirname(parent) === parent) return null
  }
}

const HOME = 'espalier.json'

/** The git folder of a linked worktree, whose `.git` is a file that names it. */
async function gitDirOf(path: string): Promise<string | null> {
  const text = await readFile(join(path, '.git'), 'utf8').catch(() => '')
  return /^gitdir: (.+)\n?$/.exec(text)?.[1] ?? null
}
