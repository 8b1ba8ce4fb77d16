import { trace as traceOf } from '../../engine/query/origin-of-work.ts'
import { refuse } from '../../problem.ts'
import { help, inWorkspace, ONE_OBJECT, WHICH_RUN } from '../command-line/command.ts'
import { inOtherRun, knownRun, runWith, taskIn, tellRun } from '../inputs/known-run.ts'
import { lookOf } from '../surroundings.ts'
import { traceLines } from '../tables/trace-table.ts'

export const commands = {
  trace: inWorkspace(
    { run: WHICH_RUN, json: ONE_OBJECT },
    help(
      `For a task: its objective, epic and decisions, its attempts with their sessions and commits, its landing.
For a commit: the same for its task. It may be a landing, a commit of an agent, or one made of it by squash or rebase;
cherry-picked and rebased commits are recognised by their trailers.`,
      '0, or 2 if there is no such task or commit, or it comes from no run.',
      'espalier trace schema',
      'espalier trace HEAD~3',
      'espalier trace 1f3c9ab --json',
    ),
    async (here, flags, of: string) => {
      const { workspace } = here
      const known = await knownRun(workspace, flags.run)
      if (!known.ok) return known
      const task = await taskIn(workspace, known.value, of)
      const traced = await traceOf(workspace, { run: known.value.run, of: task.ok ? task.value : of })
      if (!traced.ok) {
        const other = task.ok ? null : await runWith(workspace, of, known.value.run)
        return other === null ? traced : refuse(inOtherRun(of, known.value.run, other))
      }
      if (task.ok) tellRun(known.value, flags.run, here)
      return { json: traced.value, lines: traceLines(traced.value, lookOf(here)) }
    },
  ),
}
