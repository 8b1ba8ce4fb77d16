import { problem, refuse } from '../../problem.ts'
import { planText } from '../../workloads/plan/text.ts'
import { EXIT } from '../exit-status.ts'
import { isJson, whyNotThere, writeNewPlan } from '../inputs/new-plan-file.ts'
import { type FormatFlags, loadPlan } from '../inputs/plan-file.ts'
import { findWorkspace, type InRepository, type RepositoryFlags } from '../inputs/repository.ts'
import { type SettingsFlags, settingsFromFlags } from '../inputs/run-flags.ts'
import { sourceLine } from '../plan/source.ts'
import { type Done, problemLines } from '../refusal.ts'

type Flags = RepositoryFlags & FormatFlags & SettingsFlags & { output?: string; json?: boolean; model?: string }

/** Only a sound plan is converted: what comes out can be run. A file that is called JSON holds JSON. */
export async function planConvert(files: readonly string[], flags: Flags, here: InRepository): Promise<Done> {
  if (flags.agent !== undefined || flags.command !== undefined) {
    const found = await findWorkspace(here, flags, settingsFromFlags(flags))
    return found.ok ? (await import('./plan-new.ts')).planOfFiles(files, flags, { ...here, ...found.value }) : found
  }
  const output = flags.output === '-' ? undefined : flags.output
  const target = output === undefined ? null : { file: output, cwd: here.cwd, isOver: false }
  const inTheWay = target && whyNotThere(target)
  if (inTheWay) return refuse(inTheWay)
  const loaded = await loadPlan(files, flags, here)
  if (!loaded.ok) return loaded
  const { plan, source, warnings } = loaded.value
  here.err.write(problemLines(warnings, here.err))
  if (plan.tasks.length === 0) return refuse(problem('there is nothing left to do in it', { file: source.file }))
  const text = planText(source, flags.json || (target && isJson(target.file)) ? 'json' : 'yaml')
  if (!text.ok) return text
  if (!target) {
    here.out.write(text.value)
    return EXIT.done
  }
  const trouble = await writeNewPlan(target, text.value)
  if (trouble) return refuse(trouble)
  here.err.write(`${target.file}: ${sourceLine(source, plan.tasks.length) || plan.name}\n`)
  return EXIT.done
}
