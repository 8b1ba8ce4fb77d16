import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { planText } from '../../index.ts'
import { problem } from '../../problem.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { type FormatFlags, loadPlan } from '../plan-file.ts'
import { problemLines, refuseWith } from '../problem-lines.ts'
import { findRepository, type RepositoryFlags } from '../repository.ts'
import { sourceLine } from '../source-lines.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & FormatFlags & { output?: string; json?: boolean }

/** Only a sound plan is converted: what comes out can be run. */
export async function planConvert(files: readonly string[], flags: Flags, around: Surroundings): Promise<ExitStatus> {
  const found = await findRepository(around, flags)
  if (!found.ok) return refuseWith(found.problems, around)
  const loaded = await loadPlan(files, found.value.layers, around, found.value.where.repo, flags)
  if (!loaded.ok) return refuseWith(loaded.problems, around)
  const { plan, source, warnings } = loaded.value
  around.err.write(problemLines(warnings))
  if (plan.tasks.length === 0)
    return refuseWith([problem('there is nothing left to do in it', { file: source.file })], around)
  const text = planText(source, flags.json ? 'json' : 'yaml')
  if (!text.ok) return refuseWith(text.problems, around)
  if (flags.output === undefined || flags.output === '-') around.out.write(text.value)
  else {
    const file = resolve(around.cwd, flags.output)
    const error = await writeFile(file, text.value, { flag: 'wx' }).catch((thrown: NodeJS.ErrnoException) => thrown)
    if (error) {
      const message =
        error.code === 'EEXIST' ? 'is there already: name another file' : `cannot be written: ${error.message}`
      return refuseWith([problem(message, { file: flags.output })], around)
    }
    around.err.write(`${flags.output}: ${sourceLine(source, plan.tasks.length) || plan.name}\n`)
  }
  return EXIT.done
}
