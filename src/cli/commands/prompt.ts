import { previewPrompt, readPrompt } from '../../engine/query/show-prompt.ts'
import { type Result, refuse } from '../../problem.ts'
import type { PlanSource } from '../../workloads/plan/translate-format.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { flag, help, inWorkspace, ONE_OBJECT } from '../command-line/command.ts'
import { wholeNumber } from '../command-line/flag-values.ts'
import { EXIT } from '../exit-status.ts'
import { hasNoTask, knownTask, runWith } from '../inputs/known-run.ts'
import { hasDefaultPlan, loadPlan } from '../inputs/plan-file.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { problemLines } from '../refusal.ts'
import { printJson } from '../terminal/print.ts'

export const commands = {
  prompt: inWorkspace(
    {
      run: flag('--run <run>', 'the prompt of its next attempt in this run'),
      attempt: flag('--attempt <n>', 'the prompt of this attempt; default run: the newest', wholeNumber(1)),
      json: ONE_OBJECT,
    },
    help(
      `With a plan: the prompt of the first attempt. What earlier tasks will change is not known yet, so they are only named. With
--run: the prompt of its next attempt. With --attempt: what was sent, word for word, including later prompts that asked the
agent to continue. Without a plan and an espalier.yaml: the newest run, if it has the task.

The prompt is made from templates. Those in .espalier/prompts/ of the repository replace the built-in ones: task.md,
need.md, guidelines.md, conflict.md, earlier.md, follow-up.md.`,
      '0, or 2 if there is no such task, run or attempt, or a template is not valid.',
      'espalier prompt users plan.yaml',
      'espalier prompt users --run checkout-7',
      'espalier prompt users --attempt 1',
    ),
    async (here, flags, task: string, file: string | undefined) => {
      const namesRun = flags.run !== undefined || flags.attempt !== undefined
      if (namesRun && file !== undefined)
        return refuse('name a plan, or a run with --run or --attempt: a run has its own plan')
      const text = namesRun
        ? await fromRun(task, flags, here)
        : ((await fromNewestRun(task, file, here)) ?? (await fromPlan(task, file, here)))
      if (!text.ok) return text
      if (flags.json) return printJson({ task, prompt: text.value }, here)
      here.out.write(text.value)
      return EXIT.done
    },
    { args: ['', 'the file; default: espalier.yaml here, or at the top of the repository'] },
  ),
}

async function fromRun(
  name: string,
  flags: { run?: string; attempt?: number },
  { workspace }: InWorkspace,
): Promise<Result<string>> {
  const known = await knownTask(workspace, flags.run, name)
  if (!known.ok) return known
  const { view, task } = known.value
  return readPrompt(workspace, { run: view.run, task, attempt: flags.attempt })
}

/** Without a named plan: the prompt from the running or newest run, if that has the task. Else null. */
async function fromNewestRun(
  name: string,
  file: string | undefined,
  here: InWorkspace,
): Promise<Result<string> | null> {
  if (file !== undefined || hasDefaultPlan(here, here.repo)) return null
  const known = await knownTask(here.workspace, undefined, name)
  if (!known.ok) return null
  const { view, task } = known.value
  here.err.write(`note: no plan is named, so this is ${task} of run ${view.run}\n`)
  return readPrompt(here.workspace, { run: view.run, task })
}

async function fromPlan(name: string, file: string | undefined, here: InWorkspace): Promise<Result<string>> {
  const loaded = await loadPlan(file === undefined ? [] : [file], {}, here)
  if (!loaded.ok) return loaded
  const { plan, settings, warnings, source, origin } = loaded.value
  here.err.write(problemLines(warnings, here.err))
  const over = isOver(name, source)
  if (over !== null) return refuse(over)
  const ids = plan.tasks.map(({ id }) => id)
  const task = ids.includes(name) ? name : (entryOf(name, source)?.task ?? name)
  if (!ids.includes(task)) return refuse(`${source.file} ${hasNoTask(task, ids)}${await inRun(name, here.workspace)}`)
  return previewPrompt(here.workspace, { plan, settings, task, origin })
}

async function inRun(task: string, workspace: Workspace): Promise<string> {
  const run = await runWith(workspace, task)
  return run === null ? '' : `. Run ${run} has it: \`espalier prompt ${task} --run ${run}\``
}

function entryOf(task: string, { entries }: PlanSource): PlanSource['entries'][number] | undefined {
  return entries.find((one) => one.task === task) ?? entries.find((one) => one.source === task)
}

/** Reason why a task of the file is not in the plan: done or left out. Null if it is open or unknown. */
function isOver(task: string, source: PlanSource): string | null {
  const entry = entryOf(task, source)
  if (!entry || entry.state === 'open') return null
  const how = entry.state === 'done' ? 'is done already' : 'is left out'
  return `${task} ${how}, says ${source.file}: no agent will do it. \`espalier prompt ${entry.task} --run RUN --attempt 1\` shows the prompt of a run`
}
