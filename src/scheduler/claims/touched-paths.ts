// Paths that a task changed, compared with its claims. If there are too many to list, a folder (`src/`) replaces the paths
// in it. The top folder is `./`.
import { LIMITS } from '../../config.ts'
import type { PathList } from '../../event.ts'
import type { Claims } from '../../task.ts'
import { covers, toClaims } from './overlap.ts'

/** Fields of `attempt.finished`, left out if empty. A task without claims has declared nothing, so no change is undeclared. */
export function touchedBy(claims: Claims, paths: readonly string[]): { touched?: PathList; undeclared?: PathList } {
  const held = toClaims(claims)
  const beyond = held.length === 0 ? [] : paths.filter((path) => !covers(held, path))
  return {
    ...(paths.length > 0 ? { touched: pathList(paths, LIMITS.touchedPaths) } : {}),
    ...(beyond.length > 0 ? { undeclared: pathList(beyond, LIMITS.touchedPaths) } : {}),
  }
}

export function pathList(paths: readonly string[], limit: number): PathList {
  return { paths: coveringPaths(paths, limit), count: paths.length }
}

/** At most `limit` paths, in order. The deepest folders are collapsed first, those with a single path last. */
export function coveringPaths(paths: readonly string[], limit: number): string[] {
  let found = withoutCovered(paths)
  for (const atLeast of [2, 1]) {
    for (let depth = deepest(found); depth > 0 && found.length > limit; depth--)
      found = withoutCovered(foldersInstead(found, depth, atLeast))
  }
  return found
}

export function folderOf(path: string): string {
  const end = path.lastIndexOf('/', path.length - 2)
  return end === -1 ? TOP : path.slice(0, end + 1)
}

export const TOP = './'

function foldersInstead(paths: readonly string[], depth: number, atLeast: number): string[] {
  const isMeant = (path: string) => depthOf(path) === depth
  const counts = new Map<string, number>()
  for (const path of paths) if (isMeant(path)) counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1)
  return paths.map((path) => (isMeant(path) && (counts.get(folderOf(path)) ?? 0) >= atLeast ? folderOf(path) : path))
}

/** Sorted, each once, without paths below a folder of the list. */
function withoutCovered(paths: readonly string[]): string[] {
  const all = new Set(paths)
  if (all.has(TOP)) return [TOP]
  return [...all].filter((path) => !isBelow(path, all)).sort()
}

function isBelow(path: string, folders: ReadonlySet<string>): boolean {
  for (let folder = folderOf(path); folder !== TOP; folder = folderOf(folder)) if (folders.has(folder)) return true
  return false
}

function deepest(paths: readonly string[]): number {
  return paths.reduce((most, path) => Math.max(most, depthOf(path)), 0)
}

function depthOf(path: string): number {
  return path.split('/').length - (path.endsWith('/') ? 1 : 0)
}
