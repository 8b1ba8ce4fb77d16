import { findRemote, landRun, openPullRequest, type PushedBranch, pushBranch } from '../../engine/deliver/land-run.ts'
import { readDoneSince } from '../../engine/history/landed-tasks.ts'
import { report } from '../../reports/report.ts'
import { count } from '../../text/figures.ts'
import { safeLine } from '../../text/safe.ts'
import type { RunView } from '../../view.ts'
import { listRuns } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { flag, help, inWorkspace, ONE_OBJECT } from '../command-line/command.ts'
import { EXIT } from '../exit-status.ts'
import { knownRun } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { type Done, refuseWith } from '../refusal.ts'
import { landedText } from '../status/landed-text.ts'
import { printJson } from '../terminal/print.ts'

export const commands = {
  land: inWorkspace(
    {
      into: flag('--into <branch>', 'the branch; default: the current one'),
      push: flag('--push <remote>', 'push the branch there afterwards, never with force'),
      pr: flag('--pr', "push the run's branch instead, and open a pull request with the GitHub CLI"),
      json: ONE_OBJECT,
    },
    help(
      `Without RUN: the newest that no engine works on; without --into: the current branch. Fast-forward if possible, else a merge. Nothing is changed if
the merge has conflicts or your checkout has changes in the way.

--push REMOTE pushes the branch that was landed on. --pr lands nothing here: it pushes the run's branch and opens a
pull request into your branch with the GitHub CLI (gh), with the report as its text; --push names the remote. Nothing is
ever pushed with force.`,
      '0 landed, pushed, proposed; 1 it could not land, be pushed or be proposed; 2 no such run or remote.',
      'espalier land',
      'espalier land checkout-7 --into main',
      'espalier land --push origin',
      'espalier land --pr',
    ),
    async (here, flags, id: string | undefined) => {
      const { workspace } = here
      const known = await knownRun(workspace, id ?? (await newestRun(workspace)))
      if (!known.ok) return known
      if (flags.push !== undefined) {
        const remote = await findRemote(workspace, { remote: flags.push })
        if (!remote.ok) return remote
      }
      if (flags.pr) return await propose(known.value, flags, here)
      const landed = await landRun(workspace, { run: known.value.run, into: flags.into })
      if (!landed.ok) return refuseWith(landed.problems, here, EXIT.failed)
      const said = landedText(landed.value, known.value, await readDoneSince(workspace, known.value))
      if (flags.push === undefined) return { json: landed.value, lines: [said] }
      if (!flags.json) here.out.write(`${said}\n`)
      const pushed = await pushBranch(workspace, { remote: flags.push, branch: landed.value.into })
      if (pushed.ok) return { json: { ...landed.value, pushed: pushed.value }, lines: [pushedText(pushed.value)] }
      if (flags.json) printJson({ ...landed.value, pushed: null }, here)
      return refuseWith(pushed.problems, here, EXIT.failed)
    },
  ),
}

/** The newest run without an engine: a running one is not complete yet. */
async function newestRun(workspace: Workspace): Promise<string | undefined> {
  const runs = await listRuns(workspace)
  return runs.ok ? (runs.value.find(({ engine }) => engine === null) ?? runs.value[0])?.run : undefined
}

/** Pushes the branch of the run unchanged; the user's own branches stay untouched. */
async function propose(
  view: RunView,
  { into, push }: { into?: string; push?: string },
  here: InWorkspace,
): Promise<Done> {
  const made = await report(here.workspace, { run: view.run, format: 'md' })
  if (!made.ok) return refuseWith(made.problems, here, EXIT.failed)
  const request = { run: view.run, into, remote: push, environment: here.env }
  const opened = await openPullRequest(here.workspace, { ...request, ...pullRequestWords(view, made.value.text) })
  if (!opened.ok) return refuseWith(opened.problems, here, EXIT.failed)
  const { pushed, address, reason, into: branch } = opened.value
  if (address === null) here.err.write(`${reason}\n`)
  return {
    json: { run: view.run, ...opened.value },
    lines: [pushedText(pushed), ...(address === null ? [] : [`opened a pull request into ${branch}: ${address}`])],
    status: address === null ? EXIT.failed : EXIT.done,
  }
}

function pushedText({ remote, url, branch, how }: PushedBranch): string {
  if (how === 'up-to-date') return `${remote} (${url}) already has ${branch}`
  return `pushed ${branch} to ${remote} (${url})${how === 'new' ? ', where it is new' : ''}`
}

/** Below GitHub's limit of 65,536 characters. */
const MAX_BODY_CHARS = 60_000
const MAX_TITLE_CHARS = 200

function pullRequestWords(
  { name, run, counts, tasks }: Pick<RunView, 'name' | 'run' | 'counts' | 'tasks'>,
  report: string,
): { title: string; body: string } {
  const landed = tasks.filter(({ status }) => status === 'landed')
  const what = landed.length === 1 ? (landed[0]?.title ?? '') : `${count(counts.landed, 'task')} of run ${run}`
  const title = safeLine(`${name}: ${what}`).slice(0, MAX_TITLE_CHARS)
  if (report.length <= MAX_BODY_CHARS) return { title, body: report }
  const cut = report.slice(0, MAX_BODY_CHARS)
  return { title, body: `${cut.slice(0, cut.lastIndexOf('\n'))}\n\n… \`espalier report ${run}\` has the rest.\n` }
}
