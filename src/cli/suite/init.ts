import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { findRunnerAt } from '../../internal.ts'
import { problem, refuse } from '../../problem.ts'
import { EXIT } from '../exit-status.ts'
import type { InRepository } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { printJson } from '../terminal/print.ts'
import { starterSuite } from './starter-suite.ts'

export async function suiteInit(
  file: string | undefined,
  flags: { json?: boolean },
  here: InRepository,
): Promise<Done> {
  const path = resolve(here.cwd, file ?? 'suite.yaml')
  const shown = relative(here.cwd, path) || path
  if (existsSync(path)) return refuse(problem('is there already, and was left as it is', { file: shown }))
  const runner = findRunnerAt(here.repo)
  try {
    await writeFile(path, starterSuite(runner), { flag: 'wx' })
  } catch (error) {
    return refuse(problem(`cannot be written: ${(error as Error).message}`, { file: shown }))
  }
  if (flags.json) return printJson({ file: shown, runner }, here)
  const what = runner ? `runs \`${runner.test}\` (${runner.name})` : 'no test command was found: put yours in'
  here.out.write(`${shown}: ${what}\n`)
  return EXIT.done
}
