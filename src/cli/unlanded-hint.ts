// A word about work that is done by a plan file, but not in the commit that a run of it would start from.
import { type Plan, type PlanOrigin, type Problem, readUnlanded, unlandedProblems, type Where } from '../index.ts'

type PlanRead = { plan: Plan; path: string | null; fileOrigin: PlanOrigin | null }

/** None also where it cannot be found out: outside of git, with a damaged state folder. `base`: as a flag says it. */
export async function unlandedHints(
  where: Where,
  { plan, path, fileOrigin }: PlanRead,
  base: string | undefined,
): Promise<Problem[]> {
  const said = base ?? plan.base
  const found = await readUnlanded({ ...where, origin: fileOrigin, base: said ?? undefined })
  // Where nothing is left to do, no run will be refused for it.
  const start = plan.tasks.length === 0 ? 'HEAD' : null
  return found.ok ? unlandedProblems(found.value, { planFile: path, base: said ?? start }) : []
}
