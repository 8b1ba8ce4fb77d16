import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Settings } from '../../config.ts'
import { checkMeans, checkModels, checkSubmodules, unpriced } from '../../engine/open/check-before-run.ts'
import { asWarning, unlandedBeforeRun } from '../../engine/open/inspect-before-run.ts'
import { textIn } from '../../files/if-there.ts'
import { type Problem, problem, refuse } from '../../problem.ts'
import { agentsOf, type Plan } from '../../task.ts'
import { count } from '../../text/figures.ts'
import type { PlanSource } from '../../workloads/plan/translate-format.ts'
import { withChecks } from '../../workloads/settings/add-checks-to-settings-file.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { FORMAT_FLAGS, flag, type Given, help, inRepository } from '../command-line/command.ts'
import { EXIT } from '../exit-status.ts'
import { loadPlan } from '../inputs/plan-file.ts'
import { findRepository, type InRepository, type RepositoryFlags } from '../inputs/repository.ts'
import { remarkLines, sourceLine } from '../plan/how-it-was-read.ts'
import { type Done, problemLines } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { printJson } from '../terminal/print.ts'

export const commands = {
  check: inRepository(
    {
      ...FORMAT_FLAGS,
      accept: flag('--accept', 'write the commands that are not run as checks into `checks` of .espalier/config.yaml'),
      json: flag('--json', 'print {ok, problems, format, …} as JSON'),
    },
    help(
      `All problems are reported at once, as FILE:LINE:COLUMN: MESSAGE. A missing agent is only a warning,
although \`run\` needs one. A model that its agent does not have is an error, as in \`run\`.

Plans of other formats (implementation_plan.json, batch plans in Markdown, work queues, epics and tasks, Task Master,
spec-kit, beads, GSD, ccpm) are auto-detected. The output says which format it is, how much is done already, what was
assumed and what was ignored. In a folder the plan is found where its tool puts it (.taskmaster, specs, .beads, …).

Of these, only commands known to test, lint or build are run as checks. The others are listed; --accept writes all of them
into the settings of the repository, and they are run from then on. Read them first.`,
      '0 the plan is OK, 2 it is not.',
      'espalier plan check',
      'espalier plan check plan.yaml --json',
      'espalier plan check .',
      'espalier plan check .taskmaster/tasks/tasks.json --part billing',
      'espalier plan check implementation_plan.json --accept',
    ),
    planCheck,
  ),
}

type Flags = RepositoryFlags & Given<typeof FORMAT_FLAGS> & { json?: boolean; accept?: boolean }

export async function planCheck(here: InRepository, flags: Flags, files: readonly string[]): Promise<Done> {
  const loaded = await loadPlan(files, flags, here)
  const toAccept = loaded.ok ? loaded.value.source.checksToAccept : []
  if (flags.accept && toAccept.length > 0) {
    const trouble = await acceptChecks(toAccept, flags.json === true, here)
    const found = trouble ? refuse<InRepository>(trouble) : await findRepository(here, flags)
    return found.ok ? planCheck(found.value, { ...flags, accept: false }, files) : found
  }
  const refused = loaded.ok ? checkModels(loaded.value.plan, loaded.value.settings) : loaded.problems
  const problems = loaded.ok ? [...loaded.value.warnings, ...refused] : refused
  if (loaded.ok) {
    // Outside of a repository there are no earlier runs of the plan.
    const workspace = await openWorkspace(here)
    if (workspace.ok) {
      here.resources.use(workspace.value)
      problems.push(...(await unlandedBeforeRun(workspace.value, loaded.value, { isDryRun: true })))
      const hasSubmodules = existsSync(join(workspace.value.repo, '.gitmodules'))
      problems.push(...checkSubmodules(hasSubmodules, loaded.value.settings))
    }
    problems.push(...warningsOf(loaded.value))
  }
  const isSound = refused.length === 0
  if (flags.json) printJson({ ok: isSound, problems, ...(loaded.ok ? understood(loaded.value) : {}) }, here)
  else {
    if (loaded.ok && isSound) here.out.write(verdict(loaded.value, here))
    if (toAccept.length > 0) here.out.write(`${notRun(toAccept.length)}\n`)
    here.err.write(problemLines(problems, here.err))
  }
  return isSound ? EXIT.done : EXIT.badInput
}

const SETTINGS = '.espalier/config.yaml'

function notRun(commands: number): string {
  const are = commands === 1 ? '1 command is not run as a check' : `${commands} commands are not run as checks`
  return `${are}: \`espalier plan check --accept\` writes ${commands === 1 ? 'it' : 'them'} into the settings, if you want that`
}

/** Keeps the checks accepted so far: a list in the repository's file overrules the user's list. */
async function acceptChecks(
  commands: readonly string[],
  isQuiet: boolean,
  { repo, settings, out }: InRepository,
): Promise<Problem | null> {
  const file = join(repo, SETTINGS)
  const before = settings.checks === 'all' ? [] : settings.checks
  const list = commands.map((command) => `  - ${JSON.stringify(command)}\n`).join('')
  try {
    const edited = withChecks(textIn(file), [...before, ...commands])
    if (edited === null)
      return problem(`there is no simple place for \`checks\` in it: add these to its list\n${list}`, {
        file: SETTINGS,
      })
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, edited)
    if (!isQuiet) out.write(`Added to \`checks\` in ${SETTINGS}:\n${list}`)
    return null
  } catch (error) {
    return problem(`cannot be written: ${(error as Error).message}`, { file: SETTINGS })
  }
}

/** The result, printed before the warnings. */
function verdict({ plan, source }: { plan: Plan; source: PlanSource }, { outPalette }: Surroundings): string {
  const epics = plan.epics.length === 0 ? '' : ` in ${count(plan.epics.length, 'epic')}`
  const said = plan.tasks.length === 0 ? 'Nothing left to do' : `Plan OK: ${count(plan.tasks.length, 'task')}${epics}`
  const lines = [sourceLine(source, plan.tasks.length), ...remarkLines(source, outPalette), said].filter(Boolean)
  return `${lines.join('\n')}\n`
}

/** JSON for programs: the format, the number of tasks per state, and what was assumed and ignored. */
function understood({ plan, source }: { plan: Plan; source: PlanSource }): object {
  const { format, entries, assumed, ignored, checksToAccept, file } = source
  const remark = ({ message, place }: PlanSource['assumed'][number]) => ({ file, ...place, message })
  return {
    format,
    tasks: plan.tasks.length,
    done: entries.filter(({ state }) => state === 'done').length,
    skipped: entries.filter(({ state }) => state === 'skipped').map(({ source }) => source),
    assumed: assumed.map(remark),
    ignored: ignored.map(remark),
    checksToAccept,
  }
}

function warningsOf({ plan, settings }: { plan: Plan; settings: Settings }): Problem[] {
  const named = withNamedAgents(plan, settings)
  const lacking = checkMeans(named, settings).map(asWarning)
  return [...lacking, ...(lacking.length === 0 ? unpriced(named, settings) : [])]
}

/** Omits tasks without a named agent: a check needs none, and `run` reports a missing one. */
function withNamedAgents(plan: Plan, { command }: Settings): Plan {
  if (command !== null) return plan
  return { ...plan, tasks: plan.tasks.filter(({ work }) => agentsOf(work).join() !== 'command') }
}
