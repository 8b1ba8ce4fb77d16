// `run` where the last run of the same plan was interrupted: it may be meant to continue, and a new one would pay again for
// what that one has done.
import { readInterrupted } from '../../internal.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import type { ListedRun } from '../../status.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Surroundings } from '../surroundings.ts'
import { ask } from '../terminal/ask.ts'

export type InsteadOfNew = { kind: 'new' } | { kind: 'resume'; run: string } | { kind: 'cancel' }

/** `repeat`: flags to repeat in commands, with a leading space. Refused where nobody can be asked. */
export async function insteadOfNew(
  workspace: Workspace,
  planFile: string | null,
  { repeat, json }: { repeat: string; json: boolean },
  surroundings: Surroundings,
): Promise<Result<InsteadOfNew>> {
  const found = planFile === null ? ok(null) : await readInterrupted(workspace, planFile)
  if (!found.ok) return found
  if (!found.value) return ok({ kind: 'new' })
  const { run } = found.value
  const resume = `espalier resume ${run}${repeat}`
  if (json || !surroundings.input || !surroundings.err.isTTY)
    return refuse(`${stateText(found.value)}: \`${resume}\` continues it, \`espalier run --new\` starts a new one`)
  surroundings.err.write(`${stateText(found.value)}\n${CHOICES(resume)}`)
  const choice = await ask('Resume it?', { r: 'resume', n: 'new', c: 'cancel' } as const, surroundings)
  return ok(choice === 'resume' ? { kind: 'resume', run } : { kind: choice ?? 'cancel' })
}

/** `Run shop-1 of this plan was interrupted, 3 of 7 tasks done` */
function stateText({ run, counts }: ListedRun): string {
  return `run ${run} of this plan was interrupted, with ${counts.landed + counts.passed} of ${counts.total} tasks done`
}

const CHOICES = (resume: string) => `  r  resume it (${resume})
  n  start a new run, from the beginning (espalier run --new)
  c  cancel: start nothing
`
