// Which of some files in the user's checkout have changes that are in no commit. Untracked ones have none that anybody follows.
import { git } from './git.ts'
import { readable, records } from './path-bytes.ts'
import type { UserRepository } from './user-repository.ts'

export async function uncommittedAmong({ top }: UserRepository, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const args = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=no', '--ignore-submodules=all']
  const { stdout } = await git(args, { cwd: top, config: 'user' })
  const changed = new Set(records(stdout).map((record) => readable(record.slice(3))))
  return paths.filter((path) => changed.has(path))
}
