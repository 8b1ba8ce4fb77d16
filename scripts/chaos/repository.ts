// The repository that a round works on.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from './checks.ts'

/** With one commit on `main`. The folder is made. */
export function makeRepository(repo: string): void {
  mkdirSync(repo, { recursive: true })
  git(repo, 'init', '-q', '-b', 'main')
  git(repo, 'config', 'user.name', 'chaos')
  git(repo, 'config', 'user.email', 'chaos@example.com')
  writeFileSync(join(repo, 'README.md'), 'chaos\n')
  git(repo, 'add', '-A')
  git(repo, 'commit', '-qm', 'first')
}
