import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { problem } from '../../problem.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { DEFAULT_PLAN } from '../inputs/find-plans.ts'
import { topOfCheckout } from '../inputs/repository.ts'
import { STARTER_PLAN } from '../plan/starter-plan.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

export async function init(name: string | undefined, surroundings: Surroundings): Promise<ExitStatus> {
  const file = name ?? DEFAULT_PLAN
  try {
    await writeFile(resolve(surroundings.cwd, file), STARTER_PLAN, { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why =
      code === 'EEXIST' ? 'is already there: name another file, or remove it first' : `cannot be written: ${message}`
    return refuseWith([problem(why, { file })], surroundings)
  }
  const given = name === undefined ? '' : ` ${file}`
  surroundings.out.write(`wrote ${file}. Edit it, then:\n\n`)
  surroundings.out.write(`  espalier plan check ${file}\n  espalier run${given} --dry-run\n  espalier run${given}\n`)
  if (topOfCheckout(surroundings.cwd) === null)
    surroundings.err.write(
      '\nthis folder is in no git repository yet, and a run starts from a commit: `git init`, then commit something\n',
    )
  return EXIT.done
}
