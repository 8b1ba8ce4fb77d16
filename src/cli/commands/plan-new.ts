// `espalier plan new`: an agent writes a plan for an objective, or with `plan convert --agent` from a plan in prose, for review.
// Nothing of the plan is run.

import { resolveSettings, type Settings } from '../../config.ts'
import { readPlanTexts } from '../../engine/open/plan-texts.ts'
import { type NewPlan, openPlanning } from '../../engine/planning/new-plan.ts'
import type { RunEvent } from '../../engine/run/event-feed.ts'
import type { Run } from '../../engine/run/run.ts'
import type { RunResult } from '../../engine/run/run-result.ts'
import { type Problem, problem, refuse } from '../../problem.ts'
import { agentsOf } from '../../task.ts'
import { silentFor } from '../../text/duration.ts'
import { safeLine } from '../../text/safe.ts'
import { shellWord } from '../../text/shell-word.ts'
import { because } from '../../text/telling-lines.ts'
import { money } from '../../text/usage-text.ts'
import { readPlan } from '../../workloads/plan/read.ts'
import { flag, type Given, help, inWorkspace, plannerFlags } from '../command-line/command.ts'
import { filled } from '../command-line/flag-values.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { rejectedName, textFor, whyNotThere, yamlName } from '../inputs/path-for-new-plan.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { showRun } from '../live/follow-run.ts'
import { type Viewer, withPauses } from '../live/plain-and-json-views.ts'
import { type Done, problemLines } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { printJson, writeLine } from '../terminal/print.ts'
import { type Target, writeInto } from '../terminal/write-page.ts'
import { planCheck } from './plan-check.ts'

export const commands = {
  new: inWorkspace(
    {
      ...plannerFlags(),
      output: flag('-o, --output <file>', 'write it here; default: plan.yaml', filled('--output')),
      force: flag('--force', 'overwrite an existing file'),
      json: flag('--json', 'print one JSON object at the end'),
    },
    help(
      `An agent reads your repository and splits the objective into tasks, with needs, claims, estimates and checks. It works in a
throw-away worktree of HEAD: your repository is not changed, no run appears in it, and nothing of the plan is run. Problems
that \`espalier plan check\` finds go back to the agent, up to three times. A plan that still has problems is kept as
plan.rejected.yaml, and they are printed. Read the plan before you run it: an agent wrote the commands in it. The program
of --command has to write the plan to espalier-plan.yaml in its folder. \`.espalier/prompts/plan.md\` replaces the prompt.`,
      '0 a valid plan was written, 1 none was, 2 wrong usage or the file exists, 130 interrupted.',
      "espalier plan new 'Customers can reset their password by mail' --agent claude",
      'espalier plan new "$(cat docs/search.md)" -o search.yaml --model opus --budget-usd 2',
    ),
    (here, flags, objective: string) => makePlan(here, flags, { objective }),
  ),
}

type Flags = Given<ReturnType<typeof plannerFlags>> & { output?: string; force?: boolean; json?: boolean }

export async function planOfFiles(here: InWorkspace, flags: Flags, names: readonly string[]): Promise<Done> {
  if (names.length === 0) return refuse('name the file that an agent is to make a plan of')
  if (flags.output === '-') return refuse('what an agent makes is written to a file: name it with -o')
  const texts = await readPlanTexts(names, here.cwd)
  if (!texts.ok) return texts
  const { files, name } = texts.value
  if (!files.some(({ text }) => /\S/.test(text))) return refuse(problem('is empty', { file: name }))
  return makePlan(here, flags, { objective: `Carry out the plan in ${name}.`, files })
}

async function makePlan(here: InWorkspace, flags: Flags, wanted: Pick<NewPlan, 'objective' | 'files'>): Promise<Done> {
  const file = flags.output ?? DEFAULT_OUTPUT
  const target = { file, cwd: here.cwd, isOver: flags.force ?? false }
  // Checked before anything is spent.
  const inTheWay = whyNotThere(target, `name another file with -o${wanted.files ? '' : ', or --force'}`)
  if (inTheWay) return refuse(inTheWay)
  const { workspace, layers, settings, repeat } = here
  const { settings: below } = resolveSettings(layers.belowPlan)
  const asked = { ...wanted, settings, below, model: flags.model ?? null }
  const opened = await openPlanning(workspace, { ...asked, environment: here.env })
  if (!opened.ok) return opened
  await using planning = opened.value
  const view = planningView(planning.run, here)
  const leave = () => process.exit(EXIT.interrupted)
  const result = await showRun(planning.run, view, { since: 0, leave, hangUp: 'interrupt' })
  const text = await planning.text()
  const cost = result.costUsd ? ` It cost ${money(result.costUsd)}.` : ''
  if (result.status !== 'completed' || text === null)
    return refused(result, { text, name: planning.file, cost, below }, target, here)
  const whole = textFor(file, text, readMade(yamlName(file), text, below))
  const trouble = await writeInto(target, whole)
  if (trouble) return printed(whole, `Plan OK.${cost}`, [trouble], here)
  if (flags.json) return printJson({ file, costUsd: result.costUsd }, here)
  here.out.write(`wrote ${file}.${cost} Nothing of it has been run.\n`)
  const status = await planCheck(here, {}, [file])
  const name = shellWord(file)
  const agent = givenAgent(flags)
  const next = [`espalier plan show ${name}${repeat}`, `espalier run ${name}${agent}${repeat}`]
  here.out.write(`\nRead it, change what you want different, then:\n\n  ${next.join('\n  ')}\n`)
  return status
}

/** Agent flags to repeat: no file has them. */
function givenAgent({ agent, command }: Flags): string {
  const named = agent === undefined ? '' : ` --agent ${shellWord(agent)}`
  return command === undefined ? named : `${named} --command ${shellWord(command)}`
}

const DEFAULT_OUTPUT = 'plan.yaml'

/** Reports why there is no plan, and keeps the rejected text with its problems in a file. */
async function refused(
  result: RunResult,
  { text, name, cost, below }: { text: string | null; name: string; cost: string; below: Settings },
  target: Target,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  surroundings.err.write(
    `no plan was made: ${whyNot(result, text === null ? name : null).replace(/\.$/, '')}.${cost}\n`,
  )
  if (text !== null) {
    const file = rejectedName(target.file)
    const read = readMade(file, text, below)
    if (!read.ok) surroundings.err.write(problemLines(read.problems, surroundings.err))
    const trouble = await writeInto({ ...target, file, isOver: true }, text)
    if (trouble) printed(text, '', [trouble], surroundings)
    else
      surroundings.err.write(
        `what the agent wrote is in ${file}: fix it, and \`espalier plan check ${shellWord(file)}\`\n`,
      )
  }
  return result.interrupted ? EXIT.interrupted : EXIT.failed
}

function readMade(file: string, text: string, below: Settings) {
  return readPlan(text, file, below)
}

/** Prints a plan that could not be written: it was paid for. */
function printed(text: string, said: string, problems: Problem[], surroundings: Surroundings): ExitStatus {
  surroundings.err.write(`${said === '' ? '' : `${said}\n`}${problemLines(problems)}so it is printed here instead:\n`)
  surroundings.out.write(text.endsWith('\n') ? text : `${text}\n`)
  return EXIT.failed
}

/** `missing`: the file that the agent did not write. */
function whyNot({ stuck, failures: [failed], interrupted, status }: RunResult, missing: string | null): string {
  if (stuck !== null) return stuck
  if (interrupted) return 'interrupted'
  if (failed?.failure.reason !== 'verify-failed') return failed ? because(failed.failure) : status
  return missing === null
    ? 'the agent wrote a plan with problems and did not fix them'
    : `the agent wrote no ${missing} at the top of its worktree. Ask again, or name another agent or model with --agent and --model`
}

/** A line on standard error for each message of the agent; its run is not shown. */
function planningView(run: Run, { err }: Surroundings): Viewer {
  const agent = nameOf(run.plan.tasks.flatMap(({ work }) => agentsOf(work))[0])
  void writeLine(err, `${agent} is writing the plan`)
  const view: Viewer = {
    event(event: RunEvent) {
      if (event.type === 'attempt.progress') return writeLine(err, `  ${progressText(event.message)}`)
      if (event.type === 'attempt.stalled') return writeLine(err, `${agent}: ${silentFor(event.since, event.at)}`)
    },
    note: (text) => void writeLine(err, text),
    close: () => {},
  }
  return withPauses(view, () => run.summary().paused)
}

function nameOf(agent: string | undefined): string {
  return agent === 'command' ? 'the command' : (agent ?? 'an agent')
}

/** Shortens the message that asks the agent to continue after writing no plan or one with problems. */
function progressText(message: string): string {
  const [, turn] = /^continues (\(\d+ of \d+\)):/.exec(message) ?? []
  return turn === undefined ? safeLine(message) : `the plan has problems, the agent continues ${turn}`
}
