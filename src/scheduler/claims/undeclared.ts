// What a task changed, against what it had claimed.
import { LIMITS } from '../../config.ts'
import type { Claims } from '../../task.ts'
import type { PathList } from '../../view.ts'
import { coveringPaths } from './covering-paths.ts'
import { covers, toClaims } from './overlap.ts'

/** In the words of the journal: what is empty is not there. */
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
