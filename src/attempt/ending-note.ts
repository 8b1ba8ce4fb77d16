// Why the engine ends an agent of its own accord, because of what that prints. The journal has no such decision, and what
// was printed may be gone when the next engine looks for it: the log of an attempt has a limit. So it is noted beside the
// attempt's logs before the agent is told, and an engine that takes the attempt up comes to the same end.
import { readFileSync, writeFileSync } from 'node:fs'
import * as z from 'zod'
import { FAILURE_REASONS, type Failure } from '../failure.ts'

/** At once, and not by a rename: an engine that dies in the middle of it has not told the agent yet. */
export function noteEnding(path: string, failure: Failure): void {
  try {
    writeFileSync(path, JSON.stringify(failure), { mode: 0o600 })
  } catch {
    // The disk is full, or the folder is gone: then what the agent printed has to say it again.
  }
}

/** Null: it was not ended, or what is noted makes no sense. */
export function notedEnding(path: string): Failure | null {
  try {
    return endingSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

const endingSchema = z.object({ reason: z.enum(FAILURE_REASONS), message: z.string() })
