// Compares the paths a task changed with its claims.
import { LIMITS } from '../../config.ts'
import type { PathList } from '../../event.ts'
import type { Claims } from '../../task.ts'
import { coveringPaths } from './covering-paths.ts'
import { covers, toClaims } from './overlap.ts'

/** Fields of `attempt.finished`: left out where empty. */
type Touched = { touched?: PathList; undeclared?: PathList }

/** A task that claims nothing has declared nothing, so nothing it does is undeclared. */
export function touchedBy(claims: Claims, paths: readonly string[]): Touched {
  const held = toClaims(claims)
  const beyond = held.length === 0 ? [] : paths.filter((path) => !covers(held, path))
  return {
    ...(paths.length > 0 ? { touched: pathList(paths) } : {}),
    ...(beyond.length > 0 ? { undeclared: pathList(beyond) } : {}),
  }
}

function pathList(paths: readonly string[]): PathList {
  return { paths: coveringPaths(paths, LIMITS.touchedPaths), count: paths.length }
}
