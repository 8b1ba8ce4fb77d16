// Paths of another format as claims. What is a pattern by accident (`app/[id]/page.tsx`) is made plain; `*` and `?` stay.
import { posix } from 'node:path'

export type NamedPaths = { write: readonly string[]; read: readonly string[] }

export type PathClaims = {
  /** Short for `{write}` where nothing is only read; undefined where nothing is named. */
  claims?: string[] | { write: string[]; read: string[] }
  /** Paths to write that are not in the repository: no worktree has them. */
  outside?: string[]
}

/** A path to read that is outside the repository is left out: nothing of it can collide. */
export function claimsOf({ write, read }: NamedPaths): PathClaims {
  const written = claimed(write)
  const own = new Set(written.inside)
  const wanted = claimed(read).inside.filter((path) => !own.has(path))
  const outside = written.outside.length > 0 ? { outside: written.outside } : {}
  if (wanted.length > 0) return { claims: { write: written.inside, read: wanted }, ...outside }
  return written.inside.length > 0 ? { claims: written.inside, ...outside } : outside
}

function claimed(paths: readonly string[]): { inside: string[]; outside: string[] } {
  const inside = new Set<string>()
  const outside = new Set<string>()
  for (const written of paths) {
    const path = plainPath(written)
    if (path === '') continue
    if (isOutside(path)) outside.add(path)
    else inside.add(path.replace(/[[\]]/g, '\\$&'))
  }
  return { inside: [...inside], outside: [...outside] }
}

/** Without quotes, `./`, detours and the number of a line: `./src/a.ts:12` is `src/a.ts`. */
function plainPath(written: string): string {
  const bare = written
    .trim()
    .replace(/^(["'`])(.*)\1$/, '$2')
    .replace(/:\d+(-\d+)?$/, '')
    .trim()
  if (bare === '') return ''
  const path = posix.normalize(bare.replaceAll('\\', '/'))
  return path === '.' || path === '../' ? '**' : path
}

function isOutside(path: string): boolean {
  return /^(\/|~|[A-Za-z]:\/)/.test(path) || /(^|[/{,])\.\.([/},]|$)/.test(path)
}
