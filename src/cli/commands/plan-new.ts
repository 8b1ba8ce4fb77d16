// `espalier plan new`: an agent makes a plan of an objective, for a person to look at. Nothing of the plan is run.
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { parse, resolve } from 'node:path'
import { resolveSettings } from '../../config.ts'
import { openPlanning, type Planning, type RunResult } from '../../index.ts'
import { problem } from '../../problem.ts'
import { money } from '../../usage-text.ts'
import { because } from '../event-line.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { handleInterruption } from '../interruption.ts'
import { knownAgents, loadPlan } from '../plan-file.ts'
import { planningView } from '../planning-view.ts'
import { problemLines, refuseWith } from '../problem-lines.ts'
import { quoted } from '../quoted.ts'
import { findRepository, type RepositoryFlags } from '../repository.ts'
import { type SettingsFlags, settingsFromFlags } from '../run-flags.ts'
import type { Layers } from '../settings-layers.ts'
import type { Surroundings } from '../surroundings.ts'
import { tell } from '../viewer.ts'
import { planCheck } from './plan-check.ts'

type Flags = RepositoryFlags & SettingsFlags & { output?: string; force?: boolean; model?: string }

export async function planNew(objective: string, flags: Flags, around: Surroundings): Promise<ExitStatus> {
  const file = flags.output ?? DEFAULT_OUTPUT
  // Before anything is spent on it.
  if (!flags.force && existsSync(resolve(around.cwd, file)))
    return refuseWith([problem('is there already: name another file with -o, or --force', { file })], around)
  const found = await findRepository(around, flags, settingsFromFlags(flags))
  if (!found.ok) return refuseWith(found.problems, around)
  const { where, layers, repeat } = found.value
  const { settings: below } = resolveSettings(layers.belowPlan)
  const { settings } = resolveSettings([...layers.belowPlan, ...layers.abovePlan])
  const asked = { repo: where.repo, objective, settings, below, agents: knownAgents(below), model: flags.model ?? null }
  const opened = await openPlanning({ ...asked, environment: around.env })
  if (!opened.ok) return refuseWith(opened.problems, around)
  await using planning = opened.value
  const result = await shown(planning, around)
  const text = await planning.text()
  const cost = result.costUsd > 0 ? ` It cost ${money(result.costUsd)}.` : ''
  if (result.status !== 'completed' || text === null)
    return refused(result, text, { file, cost, layers, where }, around)
  const trouble = await written(file, text, flags.force ?? false, around)
  if (trouble) return refuseWith([trouble], around)
  around.out.write(`wrote ${file}.${cost} Nothing of it has been run.\n`)
  const status = await planCheck([file], repositoryOf(flags), around)
  const name = quoted(file)
  const agent = flags.agent === undefined ? '' : ` --agent ${quoted(flags.agent)}`
  const next = [`espalier plan show ${name}${repeat}`, `espalier run ${name}${agent}${repeat}`]
  around.out.write(`\nRead it, change what you want different, then:\n\n  ${next.join('\n  ')}\n`)
  return status
}

const DEFAULT_OUTPUT = 'plan.yaml'

async function shown({ run }: Planning, around: Surroundings): Promise<RunResult> {
  const view = planningView(run.plan, around)
  using _ = handleInterruption({
    run,
    running: () => run.summary().counts.running,
    note: (text) => view.note(text),
    leave: () => process.exit(EXIT.interrupted),
    signals: process,
  })
  const [, result] = await Promise.all([tell(run.events(), view, 0), run.execute()])
  return result
}

type Refused = { file: string; cost: string; layers: Layers; where: { repo: string } }

/** What there is of it is kept for the person, with all that is wrong with it. */
async function refused(
  result: RunResult,
  text: string | null,
  { file, cost, layers, where }: Refused,
  around: Surroundings,
): Promise<ExitStatus> {
  around.err.write(`no plan was made: ${whyNot(result, text !== null).replace(/\.$/, '')}.${cost}\n`)
  if (text !== null) {
    const draft = rejectedName(file)
    const trouble = await written(draft, text, true, around)
    if (trouble) return refuseWith([trouble], around, EXIT.failed)
    const loaded = await loadPlan(draft, layers, around, where.repo)
    if (!loaded.ok) around.err.write(problemLines(loaded.problems))
    around.err.write(
      `what the agent wrote is in ${draft}: put it right, and \`espalier plan check ${quoted(draft)}\`\n`,
    )
  }
  return result.interrupted ? EXIT.interrupted : EXIT.failed
}

function whyNot({ stuck, failures: [failed], interrupted, status }: RunResult, isWritten: boolean): string {
  if (stuck !== null) return stuck
  if (interrupted) return 'interrupted'
  if (failed?.failure.reason !== 'verify-failed') return failed ? because(failed.failure) : status
  return isWritten
    ? 'what the agent wrote is not sound, and it did not put it right'
    : 'the agent wrote no file with a plan. Ask again, or name another agent or model with --agent and --model'
}

/** `plan.yaml`: `plan.rejected.yaml` */
function rejectedName(file: string): string {
  const { dir, name, ext } = parse(file)
  return `${dir === '' ? '' : `${dir}/`}${name}.rejected${ext}`
}

async function written(file: string, text: string, force: boolean, { cwd }: Surroundings) {
  const flag = force ? 'w' : 'wx'
  const error = await writeFile(resolve(cwd, file), text, { flag }).catch((thrown: NodeJS.ErrnoException) => thrown)
  if (!error) return null
  return problem(error.code === 'EEXIST' ? 'is there already' : `cannot be written: ${error.message}`, { file })
}

function repositoryOf({ repo, stateDir }: Flags): RepositoryFlags {
  return { ...(repo === undefined ? {} : { repo }), ...(stateDir === undefined ? {} : { stateDir }) }
}
