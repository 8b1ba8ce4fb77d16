// Files that judge candidates and are not protected: a candidate that changes one is judged with its own version.

import { matcher } from '../../attempt/inspect-work.ts'
import { gitText } from '../../git/run/git.ts'
import { inUser } from '../../git/user/publish.ts'
import { resolveCommit } from '../../git/user/repository.ts'
import { type Problem, problem } from '../../problem.ts'
import type { ReadSearch } from '../../workloads/search/read.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Warnings, because a command may be meant to run a candidate's file. */
export async function unprotectedPaths(
  workspace: Workspace,
  { root, search }: Pick<ReadSearch, 'root' | 'search'>,
): Promise<Problem[]> {
  const user = await workspace.user()
  if (!user.ok) return []
  const base = root === null ? user.value.head : await resolveCommit(user.value, root)
  const commit = typeof base === 'string' ? base : base.ok ? base.value : null
  if (commit === null) return []
  const listed = await gitText(['ls-tree', '-r', '-z', '--name-only', commit], inUser({ user: user.value }))
  const files = new Set(listed.split('\0'))
  const isProtected = matcher(search.protected)
  const commands = [...search.gates, search.score.run]
  const words = commands.flatMap((command) =>
    command.split(/[\s"'`;&|()<>=]+/).map((word) => word.replace(/^\.\//, '')),
  )
  const obeyed = commands.flatMap((command) =>
    RUNNERS.flatMap(([pattern, file]) => (pattern.test(command) ? [file] : [])),
  )
  const named = [...new Set([...words, ...obeyed])].filter((path) => files.has(path) && !isProtected(path))
  const warnings = named.map((path) =>
    problem(
      `${path} is used to judge candidates and is not \`protected\`: one that changes it is judged with its own version`,
      {
        severity: 'warning',
      },
    ),
  )
  if ([...files].some((path) => /(^|\/)node_modules\//.test(path)) && !isProtected('node_modules/x'))
    warnings.push(
      problem(
        'node_modules is committed and not `protected`: a candidate may change what the evaluator loads from there',
        {
          severity: 'warning',
        },
      ),
    )
  return warnings
}

/** Programs that read their commands from a file. */
const RUNNERS: [RegExp, string][] = [
  [/\b(npm|npx|pnpm|yarn|bun)\b/, 'package.json'],
  [/\bmake\b/, 'Makefile'],
  [/\bjust\b/, 'justfile'],
  [/\b(pytest|tox)\b/, 'pyproject.toml'],
  [/\bcargo\b/, 'Cargo.toml'],
]
