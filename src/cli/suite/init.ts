import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { findRunnerAt } from '../../internal.ts'
import { problem } from '../../problem.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { findRepository, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { printJson } from '../terminal/print.ts'
import { starterSuite } from './starter-suite.ts'

export async function suiteInit(
  file: string | undefined,
  flags: RepositoryFlags & { json?: boolean },
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const found = await findRepository(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const path = resolve(surroundings.cwd, file ?? 'suite.yaml')
  const shown = relative(surroundings.cwd, path) || path
  if (existsSync(path))
    return refuseWith([problem('is there already, and was left as it is', { file: shown })], surroundings)
  const runner = findRunnerAt(found.value.repo)
  try {
    await writeFile(path, starterSuite(runner), { flag: 'wx' })
  } catch (error) {
    return refuseWith([problem(`cannot be written: ${(error as Error).message}`, { file: shown })], surroundings)
  }
  if (flags.json) return printJson({ file: shown, runner }, surroundings)
  const what = runner ? `runs \`${runner.test}\` (${runner.name})` : 'no test command was found: put yours in'
  surroundings.out.write(`${shown}: ${what}\n`)
  return EXIT.done
}
