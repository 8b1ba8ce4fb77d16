import { checkPlan, type Problem } from '../../index.ts'
import { count } from '../event-line.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { loadPlan } from '../plan-file.ts'
import { problemLines, refuseWith } from '../problem-lines.ts'
import { findRepository, type RepositoryFlags } from '../repository.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & { json?: boolean }

export async function planCheck(file: string | undefined, flags: Flags, around: Surroundings): Promise<ExitStatus> {
  const found = await findRepository(around, flags)
  if (!found.ok) return refuseWith(found.problems, around)
  const loaded = await loadPlan(file, found.value.layers, around, found.value.where.repo)
  // What `run` would refuse may be there by then: an agent can also be named by a flag.
  const problems = loaded.ok
    ? [...loaded.value.warnings, ...checkPlan(loaded.value.plan, loaded.value.settings).map(asWarning)]
    : loaded.problems
  if (flags.json) around.out.write(`${JSON.stringify({ ok: loaded.ok, problems })}\n`)
  else around.err.write(problemLines(problems))
  if (!loaded.ok) return EXIT.badInput
  if (flags.json) return EXIT.done
  const { plan } = loaded.value
  const epics = plan.epics.length === 0 ? '' : ` in ${count(plan.epics.length, 'epic')}`
  around.out.write(`${plan.name}: a sound plan of ${count(plan.tasks.length, 'task')}${epics}\n`)
  return EXIT.done
}

function asWarning(problem: Problem): Problem {
  return { ...problem, severity: 'warning' }
}
