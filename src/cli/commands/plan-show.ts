import { analysePlan, readLearnedClaims } from '../../index.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { learnedLines } from '../learned-lines.ts'
import { loadPlan } from '../plan-file.ts'
import { planShapeLines } from '../plan-shape.ts'
import { problemLines, refuseWith } from '../problem-lines.ts'
import { findRepository, type RepositoryFlags } from '../repository.ts'
import { type Surroundings, width } from '../surroundings.ts'

type Flags = RepositoryFlags & { maxConcurrency?: number; json?: boolean }

export async function planShow(file: string | undefined, flags: Flags, around: Surroundings): Promise<ExitStatus> {
  const slots = flags.maxConcurrency === undefined ? {} : { maxConcurrency: flags.maxConcurrency }
  const found = await findRepository(around, flags, slots)
  if (!found.ok) return refuseWith(found.problems, around)
  const loaded = await loadPlan(file, found.value.layers, around, found.value.where.repo)
  if (!loaded.ok) return refuseWith(loaded.problems, around)
  const { plan, settings, warnings } = loaded.value
  around.err.write(problemLines(warnings))
  const shape = analysePlan(plan, settings.maxConcurrency)
  // An offer: a state folder that cannot be read, or a folder outside of git, is no reason not to show the plan.
  const learned = await readLearnedClaims({ ...found.value.where, plan })
  const offers = learned.ok ? learned.value : []
  const columns = width(around.out)
  around.out.write(
    flags.json
      ? `${JSON.stringify({ name: plan.name, ...shape, learnedClaims: offers })}\n`
      : `${[...planShapeLines(plan.name, shape, columns, around.outPalette), ...learnedLines(offers, columns, around.outPalette)].join('\n')}\n`,
  )
  return EXIT.done
}
