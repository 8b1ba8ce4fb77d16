// Paths outside the claims that an agent is about to write: so it hears of them before the check after the attempt.
import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { covers, toClaims } from '../scheduler/claims/overlap.ts'

/** Names as in the worktree, if they are in there. Links are followed: the file that would change counts. */
export function outsideClaims(paths: readonly string[], mayWrite: readonly string[], worktree: string): string[] {
  const claims = toClaims({ write: [...mayWrite], read: [] })
  const root = realPath(worktree)
  return paths.flatMap((path) => {
    const inside = relative(root, realPath(resolve(worktree, path)))
    if (inside === '..' || inside.startsWith('../') || isAbsolute(inside)) return [path]
    // The worktree itself says nothing about the files in it.
    return inside === '' || covers(claims, inside) ? [] : [inside]
  })
}

/**
 * The path of a file that exists or would be made, in the letters of its folder: `SRC` may be `src`, and git knows that
 * name.
 */
function realPath(path: string, links = MAX_LINKS): string {
  try {
    return realpathSync.native(path)
  } catch {
    const folder = dirname(path)
    if (folder === path) return path
    const target = links > 0 ? linkTarget(path) : null
    // Writing through a dangling link creates its target.
    if (target !== null) return realPath(resolve(realPath(folder, links - 1), target), links - 1)
    return join(realPath(folder, links), basename(path))
  }
}

function linkTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null
  } catch {
    return null // it does not exist
  }
}

/** As many as Linux follows. */
const MAX_LINKS = 40
