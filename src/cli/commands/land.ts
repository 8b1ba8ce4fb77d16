import { readDoneSince } from '../../engine/history/landed-tasks.ts'
import { landRun, listRuns, report } from '../../index.ts'
import { findRemote, openPullRequest, type PushedBranch, pushBranch } from '../../internal.ts'
import type { RunView } from '../../status.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { landedText, pullRequestWords } from '../hints/landed.ts'
import { knownRun } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { type Done, refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { printJson } from '../terminal/print.ts'

type Flags = { into?: string; push?: string; pr?: boolean; json?: boolean }

export async function land(id: string | undefined, flags: Flags, here: InWorkspace): Promise<Done> {
  const { workspace } = here
  const known = await knownRun(workspace, id ?? (await newestRun(workspace)))
  if (!known.ok) return known
  if (flags.push !== undefined) {
    const remote = await findRemote(workspace, { remote: flags.push })
    if (!remote.ok) return remote
  }
  if (flags.pr) return await propose(known.value, workspace, flags, here)
  const landed = await landRun(workspace, { run: known.value.run, into: flags.into })
  if (!landed.ok) return refuseWith(landed.problems, here, EXIT.failed)
  if (flags.json && flags.push === undefined) return printJson(landed.value, here)
  const since = await readDoneSince(workspace, known.value)
  if (!flags.json) here.out.write(`${landedText(landed.value, known.value, since)}\n`)
  if (flags.push === undefined) return EXIT.done
  const pushed = await pushBranch(workspace, { remote: flags.push, branch: landed.value.into })
  if (flags.json) printJson({ ...landed.value, pushed: pushed.ok ? pushed.value : null }, here)
  if (!pushed.ok) return refuseWith(pushed.problems, here, EXIT.failed)
  if (flags.json) return EXIT.done
  here.out.write(`${pushedText(pushed.value)}\n`)
  return EXIT.done
}

/** Not the one at work: more of it is to come. */
async function newestRun(workspace: Workspace): Promise<string | undefined> {
  const runs = await listRuns(workspace)
  return runs.ok ? (runs.value.find(({ engine }) => engine === null) ?? runs.value[0])?.run : undefined
}

/** The branch of the run goes to the remote as it is; the user's own branches stay where they are. */
async function propose(
  view: RunView,
  workspace: Workspace,
  flags: Flags,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  const made = await report(workspace, { run: view.run, format: 'md' })
  if (!made.ok) return refuseWith(made.problems, surroundings, EXIT.failed)
  const request = { run: view.run, into: flags.into, remote: flags.push, environment: surroundings.env }
  const opened = await openPullRequest(workspace, { ...request, ...pullRequestWords(view, made.value.text) })
  if (!opened.ok) return refuseWith(opened.problems, surroundings, EXIT.failed)
  if (flags.json) printJson({ run: view.run, ...opened.value }, surroundings)
  else surroundings.out.write(`${pushedText(opened.value.pushed)}\n`)
  if (opened.value.address === null) {
    surroundings.err.write(`${opened.value.reason}\n`)
    return EXIT.failed
  }
  if (!flags.json) surroundings.out.write(`opened a pull request into ${opened.value.into}: ${opened.value.address}\n`)
  return EXIT.done
}

function pushedText({ remote, url, branch, how }: PushedBranch): string {
  if (how === 'up-to-date') return `${remote} (${url}) already has ${branch}`
  return `pushed ${branch} to ${remote} (${url})${how === 'new' ? ', where it is new' : ''}`
}
