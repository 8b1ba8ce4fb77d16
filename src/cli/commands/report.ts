import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { report as makeReport } from '../../index.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownRun } from '../known-run.ts'
import { refuseWith } from '../problem-lines.ts'
import { findRepository, type RepositoryFlags } from '../repository.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & { format: 'md' | 'json' | 'html'; output?: string }

export async function report(id: string | undefined, flags: Flags, around: Surroundings): Promise<ExitStatus> {
  const found = await findRepository(around, flags)
  if (!found.ok) return refuseWith(found.problems, around)
  const known = await knownRun(found.value.where, id)
  if (!known.ok) return refuseWith(known.problems, around)
  const made = await makeReport({ ...found.value.where, run: known.value.run, format: flags.format })
  if (!made.ok) return refuseWith(made.problems, around)
  const { run, text, folder } = made.value

  const file = target(flags, join(folder, `${run}.html`), around)
  if (file === null) {
    around.out.write(text.endsWith('\n') ? text : `${text}\n`)
    return EXIT.done
  }
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  } catch (error) {
    around.err.write(`cannot write the report: ${(error as Error).message}. Choose another file with --output\n`)
    return EXIT.badInput
  }
  around.out.write(`${file}\n`)
  return EXIT.done
}

/** Null: stdout. A page is of no use in a terminal, so there it goes to the state folder, never into the checkout. */
function target({ format, output }: Flags, page: string, { cwd, out }: Surroundings): string | null {
  if (output !== undefined) return output === '-' ? null : resolve(cwd, output)
  return format === 'html' && out.isTTY ? page : null
}
