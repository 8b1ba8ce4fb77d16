import { relative, resolve } from 'node:path'
import { findRunnerAt } from '../../engine/suite/open-suite.ts'
import { refuse } from '../../problem.ts'
import type { Runner } from '../../workloads/suite/runners.ts'
import { inRepository, ONE_OBJECT } from '../command-line/command.ts'
import { writeInto } from '../terminal/write-page.ts'

export const commands = {
  init: inRepository({ json: ONE_OBJECT }, '', async ({ cwd, repo }, _, file: string | undefined) => {
    const path = resolve(cwd, file ?? 'suite.yaml')
    const shown = relative(cwd, path) || path
    const runner = findRunnerAt(repo)
    const trouble = await writeInto({ file: shown, cwd, isOver: false }, starterSuite(runner))
    if (trouble) return refuse(trouble)
    const what = runner ? `runs \`${runner.test}\` (${runner.name})` : 'no test command was found: put yours in'
    return { json: { file: shown, runner }, lines: [`${shown}: ${what}`] }
  }),
}

/** A suite with the tests of the project, and comments on other options. */
function starterSuite(runner: Runner | null): string {
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
