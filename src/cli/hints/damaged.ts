// Lessons that a damaged disk has made unreadable are left out. This warns of them.

import { countDamaged } from '../../internal.ts'
import { ok, type Result } from '../../problem.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Surroundings } from '../surroundings.ts'

export async function warnOfDamage(workspace: Workspace, { err }: Surroundings): Promise<Result<null>> {
  const damaged = await countDamaged(workspace)
  if (!damaged.ok) return damaged
  const one = damaged.value === 1
  const what = one ? '1 lesson is' : `${damaged.value} lessons are`
  if (damaged.value > 0) err.write(`warning: ${what} damaged and left out; all others are used as before\n`)
  return ok(null)
}
