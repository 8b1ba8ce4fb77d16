import { makeWritable } from '../../files/remove-tree.ts'
import { GitFailure, git } from '../run/git.ts'
import { inSlot, type Slot } from './slot.ts'

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
