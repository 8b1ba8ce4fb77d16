import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { problem } from '../../problem.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { DEFAULT_PLAN } from '../inputs/find-plans.ts'
import { topOfCheckout } from '../inputs/repository.ts'
import { STARTER_PLAN } from '../plan/starter-plan.ts'
import { STARTER_SEARCH } from '../plan/starter-search.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

export async function init(
  name: string | undefined,
  flags: { search?: boolean },
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const file = name ?? (flags.search ? 'search.yaml' : DEFAULT_PLAN)
  try {
    await writeFile(resolve(surroundings.cwd, file), flags.search ? STARTER_SEARCH : STARTER_PLAN, { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why =
      code === 'EEXIST' ? 'is already there: name another file, or remove it first' : `cannot be written: ${message}`
    return refuseWith([problem(why, { file })], surroundings)
  }
  const given = name === undefined ? '' : ` ${file}`
  surroundings.out.write(`wrote ${file}. Edit it, then:\n\n`)
  const next = flags.search
    ? [`search check ${file}`, `search run ${file} --dry-run`, `search run ${file}`]
    : [`plan check ${file}`, `run${given} --dry-run`, `run${given}`]
  surroundings.out.write(next.map((words) => `  espalier ${words}\n`).join(''))
  if (topOfCheckout(surroundings.cwd) === null)
    surroundings.err.write(
      '\nthis folder is in no git repository yet, and a run starts from a commit: `git init`, then commit something\n',
    )
  return EXIT.done
}
