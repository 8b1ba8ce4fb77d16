import { keptRef, lastKeptWork } from '../../facts/kept-refs.ts'
import { type Wait, waitsOf, waitText } from '../../facts/waits.ts'
import { isToldInLog, messageParts } from '../../failure.ts'
import { LOCAL } from '../../status.ts'
import type { Task } from '../../task.ts'
import { formatDuration } from '../../text/duration.ts'
import { diffText, shortCommit } from '../../text/figures.ts'
import { safeLine } from '../../text/safe.ts'
import { shellWord } from '../../text/shell-word.ts'
import { because, tellingLines } from '../../text/telling-lines.ts'
import { usageText } from '../../text/usage-text.ts'
import { fit } from '../../text/width.ts'
import type { TaskView } from '../../view.ts'
import { readPlanOf } from '../../workspace/read-runs.ts'
import { help, inWorkspace, ONE_OBJECT, WHICH_RUN } from '../command-line/command.ts'
import { knownTask } from '../inputs/known-run.ts'
import { nextLines } from '../status/next-steps.ts'
import { claimWaitsOf, heldBackIn } from '../status/waiting-lines.ts'
import { type Look, type LookNow, lookOf } from '../surroundings.ts'
import { glyph } from '../terminal/glyph.ts'
import { blocks, labelled } from '../terminal/table.ts'

export const commands = {
  show: inWorkspace(
    { run: WHICH_RUN, json: ONE_OBJECT },
    help(
      `Its status and why, what it waits for, its prompt or command, every attempt with time and cost, and what to type next.`,
      '0, or 2 if there is no such run or task.',
      'espalier show schema',
      'espalier show schema --json | jq .waitsFor',
    ),
    async (here, flags, name: string) => {
      const { workspace, repeat } = here
      const known = await knownTask(workspace, flags.run, name)
      if (!known.ok) return known
      const { view, task: id } = known.value
      const read = await readPlanOf(workspace, { run: view.run })
      if (!read.ok) return read
      const planned = read.value?.tasks.find((one) => one.id === id) ?? null
      const task = view.tasks.find((one) => one.id === id)
      if (!task) throw new Error(`run ${view.run} has a task ${id} without a view`)
      const look = lookOf(here)
      const claims = await claimWaitsOf(workspace, view)
      const holds = read.value ? heldBackIn(read.value)(view, look.now).ready : new Map()
      const wait = waitsOf(view, { now: look.now, plan: read.value, claims, holds }).get(id) ?? null
      const lines = taskLines({ run: view.run, task, planned, wait, repeat }, look)
      return { json: { run: view.run, ...task, waitsFor: wait, planned }, lines }
    },
  ),
}

function taskLines(
  {
    run,
    task,
    planned,
    wait,
    repeat,
  }: { run: string; task: TaskView; planned: Task | null; wait: Wait | null; repeat: string },
  look: LookNow,
): string[] {
  const { palette, width, now } = look
  const row = (label: string, text: string) => labelled(label, LABEL_WIDTH, text, look)
  const title = isOwnTitle(task, planned) ? `  ${safeLine(task.title)}` : ''
  const head = [
    `${glyph(task.status, palette)} ${palette.strong(task.id)}  ${task.status}${fit(title, width)}`,
    row('run', run),
  ]
  if (task.epic) head.push(row('epic', task.epic))
  if (task.needs.length > 0) head.push(row('needs', task.needs.join(', ')))
  if (planned && planned.claims.write.length > 0) head.push(row('claims', planned.claims.write.join(', ')))
  if (wait) head.push(row('waits', waitText(wait, now).replace(/^waits /, '')))
  if (task.landedCommit) head.push(row('landed', `as ${shortCommit(task.landedCommit)}`))
  const why = task.failure
    ? [
        `${glyph(task.status, palette)} ${safeLine(because(task.failure))}`,
        ...tellingLines(messageParts(task.failure.message).output, OUTPUT_LINES).map((line) =>
          palette.dim(fit(`    ${safeLine(line)}`, width)),
        ),
      ]
    : []
  return blocks([
    head,
    why,
    workLines(planned, look),
    attemptLines(task, look),
    nextLines(steps(run, task, repeat), look),
  ])
}

function isOwnTitle({ id, title }: TaskView, planned: Task | null): boolean {
  const text = planned ? workText(planned) : ''
  return title !== id && !text.trimStart().startsWith(title)
}

function workText({ work }: Task): string {
  return work.kind === 'prompt' ? work.prompt : work.command
}

const LABEL_WIDTH = 8
const OUTPUT_LINES = 12
const PROMPT_LINES = 8

function workLines(planned: Task | null, { width, palette }: Look): string[] {
  if (!planned) return []
  const { work, verify } = planned
  const text = workText(planned).trim().split('\n')
  const shown = text.slice(0, PROMPT_LINES).map((line) => fit(`    ${safeLine(line)}`, width))
  const more = text.length > shown.length ? [palette.dim(`    … ${text.length - shown.length} more lines`)] : []
  const kind =
    work.kind === 'prompt'
      ? `prompt (agent: ${work.agent === 'command' ? 'the program given with --command' : work.agent})`
      : 'command'
  return [
    palette.dim(kind),
    ...shown,
    ...more,
    ...verify.map((command) => fit(`${palette.dim('verify')}  ${safeLine(command)}`, width)),
  ]
}

function attemptLines({ history }: TaskView, look: LookNow): string[] {
  const columns = `attempt ${history.at(-1)?.attempt}`.length + 1
  const row = (label: string, text: string) => labelled(label, columns, text, look)
  return history.flatMap(
    ({ attempt, agent, worker, startedAt, finishedAt, outcome, diff, usage, summary, failure }) => {
      const time = formatDuration(Math.max(0, (finishedAt ?? look.now) - startedAt))
      const ended = failure?.reason ?? (outcome === 'no-change' ? 'no change' : 'done')
      const parts = [
        finishedAt === null ? `running for ${time}` : `${ended} after ${time}`,
        agent ? `by ${agent === 'command' ? '--command' : agent}` : '',
        worker === LOCAL ? '' : `on ${worker}`,
        diff ? diffText(diff) : '',
        usage ? usageText(usage) : '',
      ]
      const said = summary ? [row('', `said: ${summary}`)] : []
      return [row(`attempt ${attempt}`, parts.filter((part) => part !== '').join(', ')), ...said]
    },
  )
}

function steps(run: string, task: TaskView, repeat: string) {
  const inRun = `--run ${run}${repeat}`
  const name = `${shellWord(task.id)} ${inRun}`
  const kept = lastKeptWork(task)
  const has = task.history.some(({ commit }) => commit !== null)
  const isOver = task.finishedAt !== null
  const cause = task.failure?.cause
  return [
    ...(task.attempts > 0 && isToldInLog(task.failure)
      ? [{ command: `espalier logs ${name}`, what: 'its output' }]
      : []),
    ...(has ? [{ command: `espalier diff ${name}`, what: 'what it changed' }] : []),
    ...(kept ? [{ command: `git show ${keptRef(run, kept)}`, what: 'its work, which did not land' }] : []),
    ...(task.status === 'conflict' ? [{ command: `espalier resolve ${name}`, what: 'resolve the conflict' }] : []),
    ...(isOver ? [] : [{ command: `espalier cancel ${name}`, what: 'cancel it' }]),
    ...(task.status === 'failed' ? [{ command: `espalier retry ${name}`, what: 'try it again' }] : []),
    ...(task.status === 'blocked' && cause
      ? [
          { command: `espalier show ${shellWord(cause)} ${inRun}`, what: `why ${cause} did not succeed` },
          { command: `espalier retry ${inRun}`, what: 'try again what failed, and then this' },
        ]
      : []),
  ]
}
