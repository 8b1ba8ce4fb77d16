// Work that is in a worktree and nowhere else. The folder of a slot carries a note beside it, `<folder>.work`, from before
// an agent starts in it until its work is in a ref; a folder that is set aside takes its note along. Whoever empties or
// removes a folder of the pool asks here first, so no error, whichever it is and wherever it happens, makes the engine
// throw work away (I10).
import { readFileSync, rmSync } from 'node:fs'
import * as z from 'zod'
import { writeAtomically } from '../../files/write-atomically.ts'

export type UnkeptWork = { run: string; task: string; attempt: number }

/** From now on what is in the folder is the work of this attempt. */
export async function noteUnkept(folder: string, { run, task, attempt }: UnkeptWork): Promise<void> {
  await writeAtomically(workNote(folder), JSON.stringify({ run, task, attempt }))
}

/** All of it is in a ref, or there is none. */
export function workIsKept(folder: string): void {
  rmSync(workNote(folder), { force: true })
}

/** Null: what is in the folder is safe elsewhere. Throws where that cannot be found out. */
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

/** A note that makes no sense, after a power cut for example, still says that there is work. */
function parsed(text: string): UnkeptWork {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return { run: 'unknown', task: 'unknown', attempt: 0 }
  }
}

/** Both become a part of a path. */
const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/)
const schema = z.object({ run: id, task: id, attempt: z.number() })
