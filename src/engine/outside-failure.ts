// What becomes of a task whose plan names paths outside of the repository: a worktree holds none of them, and whatever
// was done to them would be done to the machine.
import { LIMITS } from '../config.ts'
import type { Failure } from '../failure.ts'

export function outsideFailure(paths: readonly string[]): Failure {
  const [first = '', ...more] = paths
  const others = more.length === 0 ? '' : ` and ${more.length} more`
  const message =
    `its plan names ${first}${others}, which is outside of the repository: ` +
    'paths are relative to the top of the repository and stay inside it'
  return { reason: 'outside-repository', message, paths: paths.slice(0, LIMITS.failurePaths) }
}
