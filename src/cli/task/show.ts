import { waitsOf } from '../../facts/waits.ts'
import { readPlanOf } from '../../workspace/read-runs.ts'
import type { Commands } from '../command-line/calls.ts'
import { help, WHICH_RUN, withRepository } from '../command-line/flags.ts'
import { knownTask } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { claimWaitsOf, heldBackIn } from '../status/waiting-lines.ts'
import { lookOf } from '../surroundings.ts'
import { printJson, printLines } from '../terminal/print.ts'
import { taskLines } from './task-lines.ts'

export const commands: Commands = {
  show: (command, { inWorkspace }) =>
    withRepository(command)
      .option('--run <run>', WHICH_RUN)
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP)
      .action(inWorkspace(show)),
}

type Flags = { run?: string; json?: boolean }

export async function show(name: string, flags: Flags, here: InWorkspace): Promise<Done> {
  const { workspace, repeat } = here
  const known = await knownTask(workspace, flags.run, name)
  if (!known.ok) return known
  const { view, task: id } = known.value
  const read = await readPlanOf(workspace, { run: view.run })
  if (!read.ok) return read
  const planned = read.value?.tasks.find((one) => one.id === id) ?? null
  const task = view.tasks.find((one) => one.id === id)
  if (!task) throw new Error(`run ${view.run} has a task ${id} without a view`)
  const look = lookOf(here)
  const claims = await claimWaitsOf(workspace, view)
  const holds = read.value ? heldBackIn(read.value)(() => view.tasks, view.holds ?? [], look.now).ready : new Map()
  const wait = waitsOf(view, { now: look.now, plan: read.value, claims, holds }).get(id) ?? null
  if (flags.json) return printJson({ run: view.run, ...task, waitsFor: wait, planned }, here)
  return printLines(taskLines({ run: view.run, task, planned, wait, repeat }, look), here)
}

const HELP = help(
  `Its status and why, what it waits for, its prompt or command, every attempt with time and cost, and what to type next.`,
  '0, or 2 if there is no such run or task.',
  'espalier show schema',
  'espalier show schema --json | jq .waitsFor',
)
