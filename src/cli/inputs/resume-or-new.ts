// `run` where the last run of the same plan was interrupted: it may be meant to continue, and a new one would pay again for
// what that one has done.
import { ok, type Result, refuse } from '../../problem.ts'
import type { ListedRun } from '../../view.ts'
import { ask } from '../terminal/ask.ts'
import type { InWorkspace } from './repository.ts'

/** `interrupted`: null where there is none. Refused where nobody can be asked. */
export async function resumeOrNew(
  interrupted: ListedRun | null,
  json: boolean,
  { input, err, repeat }: Pick<InWorkspace, 'input' | 'err' | 'repeat'>,
): Promise<Result<'new' | 'cancel' | { resume: string }>> {
  if (!interrupted) return ok('new')
  const { run, counts } = interrupted
  const resume = `espalier resume ${run}${repeat}`
  const done = `${counts.landed + counts.passed} of ${counts.total} tasks done`
  const state = `run ${run} of this plan was interrupted, with ${done}`
  if (json || !input || !err.isTTY)
    return refuse(`${state}: \`${resume}\` continues it, \`espalier run --new\` starts a new one`)
  err.write(`${state}\n${CHOICES(resume)}`)
  const choice = await ask('Resume it?', { r: 'resume', n: 'new', c: 'cancel' } as const, { input, err })
  return ok(choice === 'resume' ? { resume: run } : (choice ?? 'cancel'))
}

const CHOICES = (resume: string) => `  r  resume it (${resume})
  n  start a new run, from the beginning (espalier run --new)
  c  cancel: start nothing
`
