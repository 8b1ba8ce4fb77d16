// What an attempt is told that changed more than its task had claimed, where the run does not allow that.
import { LIMITS } from '../config.ts'
import type { Failure } from '../failure.ts'
import type { PathList } from '../status.ts'
import type { Claims } from '../task.ts'

/** For the person, who may widen the claims, and for the agent of the next attempt, who may not. */
export function claimsFailure({ write }: Claims, { paths, count }: PathList): Failure {
  const may = write.length === 0 ? 'it has claimed nothing for writing' : `it has claimed ${named(write)}`
  const did = count === 1 ? 'it changed a path outside its claims' : `it changed ${count} paths outside its claims`
  const message = `${did}: ${named(paths)}, and ${may}. What belongs to the task is to be added to its \`claims\` in the plan; everything else has to stay as it was`
  return { reason: 'claims-violated', message, paths: paths.slice(0, LIMITS.failurePaths) }
}

function named(paths: readonly string[]): string {
  const more = paths.length - SHOWN
  return more > 0 ? `${paths.slice(0, SHOWN).join(', ')} and ${more} more` : paths.join(', ')
}

const SHOWN = 5
