import { type PlanSource, previewPrompt, type Result, readPrompt } from '../../index.ts'
import { refuse } from '../../problem.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { hasNoTask, knownTask } from '../known-run.ts'
import { loadPlan } from '../plan-file.ts'
import { problemLines, refuseWith } from '../problem-lines.ts'
import { findRepository, type RepositoryFlags } from '../repository.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & { run?: string; attempt?: number }

export async function prompt(
  task: string,
  file: string | undefined,
  flags: Flags,
  around: Surroundings,
): Promise<ExitStatus> {
  const isOfRun = flags.run !== undefined || flags.attempt !== undefined
  if (isOfRun && file !== undefined) {
    around.err.write('name a plan, or a run with --run or --attempt: a run has its own plan\n')
    return EXIT.badInput
  }
  const text = isOfRun ? await fromRun(task, flags, around) : await fromPlan(task, file, flags, around)
  if (!text.ok) return refuseWith(text.problems, around)
  around.out.write(text.value)
  return EXIT.done
}

async function fromRun(task: string, flags: Flags, around: Surroundings): Promise<Result<string>> {
  const found = await findRepository(around, flags)
  if (!found.ok) return found
  const { where } = found.value
  const known = await knownTask(where, flags.run, task)
  if (!known.ok) return known
  return readPrompt({ ...where, run: known.value.run, task, attempt: flags.attempt })
}

async function fromPlan(
  task: string,
  file: string | undefined,
  flags: Flags,
  around: Surroundings,
): Promise<Result<string>> {
  const found = await findRepository(around, flags)
  if (!found.ok) return found
  const { where, layers } = found.value
  const loaded = await loadPlan(file, layers, around, where.repo)
  if (!loaded.ok) return loaded
  const { plan, settings, warnings, source } = loaded.value
  around.err.write(problemLines(warnings))
  const over = isOver(task, source)
  if (over !== null) return refuse(over)
  const ids = plan.tasks.map(({ id }) => id)
  if (!ids.includes(task)) return refuse(`${source.file} ${hasNoTask(task, ids)}`)
  return previewPrompt({ repo: where.repo, plan, settings, task })
}

/** Files of other formats still have what is done, so people ask for it. By the id it has here, or in the file. */
function isOver(task: string, { entries, file }: PlanSource): string | null {
  const entry = entries.find((one) => one.task === task) ?? entries.find((one) => one.source === task)
  if (!entry || entry.state === 'open') return null
  const how = entry.state === 'done' ? 'is done already' : 'is left out'
  return `${task} ${how}, says ${file}: no agent will be asked to do it. \`espalier prompt ${entry.task} --run RUN --attempt 1\` shows what one was told in a run`
}
