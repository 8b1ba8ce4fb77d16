// What the agent of an attempt may write by now, in a file that its hooks read (agents/claim-hook.ts). In a file, because
// it may become more while the agent runs.
import { writeAtomically } from '../files/write-atomically.ts'
import type { AttemptFolder } from './state-folder.ts'

/** `globs` null: nobody insists, so it may write all of its worktree. */
export async function writeMayWrite({ mayWrite }: AttemptFolder, globs: readonly string[] | null): Promise<void> {
  await writeAtomically(mayWrite, JSON.stringify({ enforce: globs !== null, write: globs ?? [] }))
}
