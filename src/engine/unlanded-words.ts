// What is said of work that is done by the plan file but not in the commit a run would start from.
import { type Problem, problem } from '../problem.ts'
import { shown } from '../workloads/field.ts'
import type { UnlandedWork } from './unlanded.ts'

type Start = {
  planFile: string | null
  /** Where the run is to start, in the words of whoever said so; null: nobody did, so it is HEAD and the run is refused. */
  base: string | null
}

/** A line for each branch. */
export function unlandedProblems(
  works: readonly UnlandedWork[],
  { planFile, base }: Start,
  severity: Problem['severity'] = 'warning',
): Problem[] {
  return works.map((work) => {
    const land = `\`${landing(work)}\` brings it onto your branch`
    // Of several branches none has it all.
    const from = works.length === 1 ? [`\`--base ${work.branch}\` starts the new run from there`] : []
    const ways = base === null ? [...goingOn(work), land, ...from, '`--base HEAD` starts it without that work'] : [land]
    const between = ways.length > 1 ? '\n  ' : '. '
    return problem([whereItIs(work, base ?? 'HEAD'), ...ways].join(between), { file: planFile, severity })
  })
}

function goingOn({ goesOn }: UnlandedWork): string[] {
  return goesOn ? [`\`${goesOn.command}\` ${goesOn.what}`] : []
}

function landing({ run, branch, isRemoved }: UnlandedWork): string {
  return isRemoved ? `git merge ${branch}` : `espalier land ${run}`
}

function whereItIs({ branch, tasks }: UnlandedWork, base: string): string {
  const [are, their] = tasks.length === 1 ? ['is', 'its'] : ['are', 'their']
  return `${named(tasks)} ${are} done by the plan file, but ${their} work is not in ${base}: it is on ${branch}, which was not landed`
}

const NAMED = 4

/** `a`, `b` and 5 more */
function named(tasks: readonly string[]): string {
  const few = tasks.slice(0, tasks.length === NAMED + 1 ? NAMED + 1 : NAMED).map(shown)
  const more = tasks.length - few.length
  const last = more > 0 ? `${more} more` : few.pop()
  return few.length === 0 ? (last ?? '') : `${few.join(', ')} and ${last}`
}
