// Claims suggested by the paths a task changed last time: short, and no broader than needed.

import type { PathList } from '../../event.ts'
import { covers, toClaims } from '../../scheduler/claims/overlap.ts'
import { coveringPaths, folderOf, TOP } from '../../scheduler/claims/touched-paths.ts'
import type { Task } from '../../task.ts'

export type Seen = PathList & { run: string }

export type LearnedClaims = ReturnType<typeof learnedClaims>[number]

/** For tasks that claim nothing or too little. One that changed things all over the repository is offered nothing. */
export function learnedClaims(tasks: readonly Pick<Task, 'id' | 'claims'>[], seen: ReadonlyMap<string, Seen>) {
  return tasks.flatMap(({ id, claims }) => {
    const last = seen.get(id)
    if (!last) return []
    const held = toClaims(claims)
    const missing = toPatterns(last.paths.filter((path) => !covers(held, path)))
    if (missing.length === 0) return []
    const { run, paths, count } = last
    return [{ task: id, run, touched: { paths, count }, claims: { ...claims, write: [...claims.write, ...missing] } }]
  })
}

/** Patterns of claims that cover these paths: folders where several are in one, else the paths. None: no claim helps. */
function toPatterns(paths: readonly string[]): string[] {
  const neighbours = new Map<string, number>()
  for (const path of paths) neighbours.set(folderOf(path), (neighbours.get(folderOf(path)) ?? 0) + 1)
  const isWhole = (folder: string) => folder !== TOP && (neighbours.get(folder) ?? 0) >= enough(folder)
  const short = coveringPaths(
    paths.map((path) => (isWhole(folderOf(path)) ? folderOf(path) : path)),
    MAX_PATTERNS,
  )
  return short.includes(TOP) ? [] : short.map(pattern)
}

const MAX_PATTERNS = 8

/** A folder at the top of the repository is much to claim for two files. */
function enough(folder: string): number {
  return folderOf(folder) === TOP ? 4 : 2
}

/** The path as it is written in a claim, where some characters mean something. */
function pattern(path: string): string {
  const text = path.replace(/[*?[\\]/g, '\\$&').replace(/[{},]|^[!~]/g, '?')
  return path.endsWith('/') ? `${text}**` : text
}
