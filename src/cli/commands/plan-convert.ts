import { planText } from '../../internal.ts'
import { problem } from '../../problem.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { isJson, whyNotThere, writeNewPlan } from '../inputs/new-plan-file.ts'
import { type FormatFlags, loadPlan } from '../inputs/plan-file.ts'
import { findRepository, type RepositoryFlags } from '../inputs/repository.ts'
import type { SettingsFlags } from '../inputs/run-flags.ts'
import { sourceLine } from '../plan/source.ts'
import { problemLines, refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & FormatFlags & SettingsFlags & { output?: string; json?: boolean; model?: string }

/** Only a sound plan is converted: what comes out can be run. A file that is called JSON holds JSON. */
export async function planConvert(
  files: readonly string[],
  flags: Flags,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  if (flags.agent !== undefined || flags.command !== undefined)
    return (await import('./plan-new.ts')).planOfFiles(files, flags, surroundings)
  const output = flags.output === '-' ? undefined : flags.output
  const target = output === undefined ? null : { file: output, cwd: surroundings.cwd, isOver: false }
  const inTheWay = target && whyNotThere(target)
  if (inTheWay) return refuseWith([inTheWay], surroundings)
  const found = await findRepository(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const loaded = await loadPlan(files, found.value, flags, surroundings)
  if (!loaded.ok) return refuseWith(loaded.problems, surroundings)
  const { plan, source, warnings } = loaded.value
  surroundings.err.write(problemLines(warnings, surroundings.err))
  if (plan.tasks.length === 0)
    return refuseWith([problem('there is nothing left to do in it', { file: source.file })], surroundings)
  const text = planText(source, flags.json || (target && isJson(target.file)) ? 'json' : 'yaml')
  if (!text.ok) return refuseWith(text.problems, surroundings)
  if (!target) {
    surroundings.out.write(text.value)
    return EXIT.done
  }
  const trouble = await writeNewPlan(target, text.value)
  if (trouble) return refuseWith([trouble], surroundings)
  surroundings.err.write(`${target.file}: ${sourceLine(source, plan.tasks.length) || plan.name}\n`)
  return EXIT.done
}
