// That a command was asked to end by somebody other than its engine: `doctor --fix`, or a machine that shuts down. It is
// written into the command's folder, so that an engine which finds it ended does not take that for its own doing.
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ASKED_FILE = 'asked'

export function noteAsked(dir: string): void {
  try {
    writeFileSync(join(dir, ASKED_FILE), '')
  } catch {
    // the folder is gone, or cannot be written: then it counts as ended by itself
  }
}

/** When, in ms since the epoch; null: nobody did. */
export function askedAt(dir: string): number | null {
  return statSync(join(dir, ASKED_FILE), { throwIfNoEntry: false })?.mtimeMs ?? null
}
