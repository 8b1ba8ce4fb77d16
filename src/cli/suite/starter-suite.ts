// The suite that `espalier suite init` writes: the tests of the project as they are, with comments on what else there is.
import type { Runner } from '../../internal.ts'

export function starterSuite(runner: Runner | null): string {
  const setup = runner?.setup ? `setup: ${runner.setup}    # once per worktree, until the lock file changes\n` : ''
  const test = runner?.test ?? 'make test'
  const split =
    runner?.template && runner.globs[0]
      ? `
  # The same tests split over the workers by the time each file takes, instead of the entry above:
  # - id: tests
  #   files: '${runner.globs[0]}'
  #   run: ${runner.template}
`
      : ''
  return `# yaml-language-server: $schema=./node_modules/espalier/schema/suite.schema.json
# espalier suite run        every entry in a worktree of its own; nothing lands
workers: 2
retries: 1    # failed, then passed: flaky
${setup}entries:
  - id: test
    run: ${test}
${split}
  # A plan that agents work on, judged by its checks; with a matrix you see which of them does it best:
  # - id: e2e
  #   plan: docs/plans/e2e-01.md
  #   batch_range: 1-2
  #   matrix: {agent: [claude, codex], repeat: 3}
`
}
