// Work that is in a worktree and nowhere else. A slot has a note beside its folder, `<folder>.work`, from before an
// agent starts in it until its work is in a ref; a folder that is set aside takes its note along. Code that empties or
// removes a folder of the pool asks here first, so no error makes the engine throw work away (I10).
import { readFileSync, rmSync } from 'node:fs'
import * as z from 'zod'
import { writeAtomically } from '../../files/write-atomically.ts'

export type UnkeptWork = { run: string; task: string; attempt: number }

export async function noteUnkept(folder: string, { run, task, attempt }: UnkeptWork): Promise<void> {
  await writeAtomically(workNote(folder), JSON.stringify({ run, task, attempt }))
}

export function removeWorkNote(folder: string): void {
  rmSync(workNote(folder), { force: true })
}

/** Null: the folder's content is safe elsewhere. Throws if that cannot be found out. */
export function unkeptIn(folder: string): UnkeptWork | null {
  try {
    return parsed(readFileSync(workNote(folder), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

export const WORK_NOTE = '.work'

function workNote(folder: string): string {
  return `${folder}${WORK_NOTE}`
}

/** A broken note, after a power cut for example, still says that there is work. */
function parsed(text: string): UnkeptWork {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return { run: 'unknown', task: 'unknown', attempt: 0 }
  }
}

/** Part of a path. */
const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/)
const schema = z.object({ run: id, task: id, attempt: z.number() })
