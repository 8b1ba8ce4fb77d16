import { existsSync } from 'node:fs'
import { resolve as resolvePath } from 'node:path'
import { resumeRun } from '../../engine/open/resume-run.ts'
import {
  type AnsweredConflict,
  conflictHome,
  giveUp,
  handBack,
  openConflict,
  type WhichConflict,
} from '../../engine/resolve/resolve-conflict-by-hand.ts'
import { refuse } from '../../problem.ts'
import { count } from '../../text/figures.ts'
import { nameList } from '../../text/name-list.ts'
import { shellWord } from '../../text/shell-word.ts'
import { call, flag, help, REPOSITORY_FLAGS } from '../command-line/command.ts'
import { EXIT } from '../exit-status.ts'
import { findWorkspace, type InWorkspace } from '../inputs/repository.ts'
import { runToRest } from '../live/follow-run.ts'
import { type Done, refuseWith } from '../refusal.ts'
import { nextLines } from '../status/next-steps.ts'
import { lookOf } from '../surroundings.ts'
import { printJson, printLines } from '../terminal/print.ts'

/** In a conflict's own worktree, the command applies to that conflict. */
export const commands = {
  resolve: call(
    {
      done: flag('--done', 'check the worktree and land the result'),
      abort: flag('--abort', 'give up: the task fails, its work is kept'),
      worktree: flag('--worktree <dir>', 'make the worktree here; default: in the state folder'),
      run: flag('--run <run>', 'the run; default: the newest with a conflict'),
      json: flag('--json', 'print one JSON object, and with --done the events of the run that continues'),
      ...REPOSITORY_FLAGS,
    },
    help(
      `For tasks in conflict, with \`landing.conflict: manual\`. Creates a worktree in which the merge of the task's work with
what has landed stopped at the conflict, as \`git merge\` does. Resolve it there, with or without a commit; --done checks
that no conflict markers are left and that only files of the task differ, hands the result back and removes the worktree.
The result lands like any other work. If no engine works on the run, the run continues here. TASK can be omitted in that
worktree, and where only one task is in conflict.`,
      `0 created, resolved or given up, 1 not resolved or no longer waiting, 2 wrong usage; if the run continues here, that
of the run.`,
      'espalier resolve schema',
      'espalier resolve schema --done',
      'espalier resolve schema --abort',
    ),
    async (surroundings, given, named: string | undefined) => {
      const home = given.repo === undefined ? await conflictHome(surroundings.cwd) : null
      const flags = home ? { run: home.run, stateDir: home.stateDir, ...given, repo: home.repo } : given
      const task = named ?? home?.task
      if (flags.done && flags.abort) return refuse('--done and --abort exclude each other')
      const found = await findWorkspace(surroundings, flags)
      if (!found.ok) return found
      const { workspace } = found.value
      const which = { run: flags.run, task }
      const json = flags.json ?? false
      if (!flags.done && !flags.abort) return open({ ...which, path: flags.worktree }, json, found.value)
      const answered = await (flags.done ? handBack(workspace, which) : giveUp(workspace, which))
      if (!answered.ok) return refuseWith(answered.problems, surroundings, EXIT.failed)
      if (json) printJson({ ...answered.value, answer: flags.done ? 'done' : 'abort' }, surroundings)
      else
        surroundings.out.write(
          `${flags.done ? 'Resolved' : 'Given up'}: ${answered.value.task} (run ${answered.value.run})\n`,
        )
      const status = await continueRun(answered.value, json, found.value)
      if (!existsSync(surroundings.cwd) && !json)
        surroundings.out.write(
          `the current folder was removed with the worktree: \`cd ${shellWord(workspace.repo)}\`\n`,
        )
      return status
    },
  ),
}

async function open(
  which: WhichConflict & { path?: string | undefined },
  json: boolean,
  here: InWorkspace,
): Promise<Done> {
  const path = which.path && resolvePath(here.cwd, which.path)
  const opened = await openConflict(here.workspace, { ...which, path })
  if (!opened.ok) return refuseWith(opened.problems, here, EXIT.failed)
  if (json) return printJson(opened.value, here)
  const { run, task, path: folder, files, others, isNew } = opened.value
  const landed = others.length > 0 ? `the landed work of ${nameList(others)}` : 'landed work'
  const again = `espalier resolve ${task} --run ${run}${here.repeat}`
  const lines = [
    `${isNew ? 'New worktree' : 'Your worktree'}: ${folder}`,
    `${count(files.length, 'file')} in conflict between ${landed} and the work of ${task}:`,
    ...files.map((file) => `  ${file}`),
    '',
    ...nextLines(
      [
        { command: `cd ${shellWord(folder)}`, what: 'edit the conflicting files there; no commit needed' },
        { command: `${again} --done`, what: 'check and land the result; removes the worktree' },
        { command: `${again} --abort`, what: 'give up: the task fails, its work is kept' },
      ],
      lookOf(here),
    ),
  ]
  return printLines(lines, here)
}

/** Continues the run here, unless its engine has received the answer. */
async function continueRun({ run, delivered }: AnsweredConflict, json: boolean, here: InWorkspace): Promise<Done> {
  if (delivered === 'to-engine' && json) return EXIT.done
  if (delivered === 'to-engine')
    return printLines([`run ${run} continues with it: \`espalier status ${run}${here.repeat}\``], here)
  const since = Date.now()
  const opened = await resumeRun(here.workspace, { run, environment: here.env })
  if (!opened.ok) {
    here.err.write(`continue with \`espalier resume ${run}${here.repeat}\`\n`)
    return refuseWith(opened.problems, here, EXIT.failed)
  }
  await using mine = opened.value
  return await runToRest(mine, { json, since }, here)
}
