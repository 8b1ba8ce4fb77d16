import type { SessionView } from '../../engine/run/session-summary.ts'
import { readSessionNotes, readSessions } from '../../engine/run/session-summary.ts'
import { renderNote } from '../../reports/sections/notes.ts'
import { formatDuration } from '../../text/duration.ts'
import { costText, shortCount } from '../../text/usage-text.ts'
import type { Commands } from '../command-line/calls.ts'
import { help, WHICH_RUN, withRepository } from '../command-line/flags.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { knownTask } from '../inputs/known-run.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { lookOf, type Surroundings } from '../surroundings.ts'
import { printJson, printLines } from '../terminal/print.ts'
import { tableLines } from '../terminal/table.ts'

export const commands: Commands = {
  sessions: (command, { inWorkspace }) =>
    withRepository(command)
      .option('--run <run>', WHICH_RUN)
      .option('--task <task>', 'only this task')
      .option('--notes', 'a note for each session: what was done, how it was checked, what the agent noticed')
      .option('--json', 'print a list as JSON')
      .addHelpText('after', HELP)
      .action(inWorkspace(sessions)),
}

type Flags = { run?: string; task?: string; notes?: boolean; json?: boolean }

async function sessions(flags: Flags, here: InWorkspace): Promise<Done> {
  const { workspace } = here
  const known = await knownTask(workspace, flags.run, flags.task)
  if (!known.ok) return known
  const { view, task } = known.value
  const which = { run: view.run, task }
  if (flags.notes) {
    const notes = await readSessionNotes(workspace, which)
    if (!notes.ok) return notes
    if (flags.json) return printJson({ notes: notes.value }, here)
    here.out.write(notes.value.map(renderNote).join('\n'))
    return notes.value.length > 0 ? EXIT.done : noSessions(which, here)
  }
  const read = await readSessions(workspace, which)
  if (!read.ok) return read
  if (flags.json) return printJson({ sessions: read.value }, here)
  if (read.value.length === 0) return noSessions(which, here)
  return printLines(sessionLines(read.value, lookOf(here)), here)
}

function noSessions({ run, task }: { run: string; task: string | undefined }, { err }: Surroundings): ExitStatus {
  err.write(`no sessions in ${task ? `${task} of ` : ''}run ${run}\n`)
  return EXIT.done
}

const HEAD = ['task', 'agent', 'model', 'outcome', 'time', 'turns', 'tools', 'in', 'cached', 'out', 'cost']
const FIGURES_FROM = 4

export function sessionLines(sessions: SessionView[], look: ReturnType<typeof lookOf>): string[] {
  const rows = sessions.map((session) => cells(session, look.now))
  return tableLines(HEAD, rows, { ...look, isRight: (column) => column >= FIGURES_FROM })
}

function cells(session: SessionView, now: number): string[] {
  const { task, attempt, agent, model, outcome, startedAt, finishedAt, turns, toolCalls, usage } = session
  return [
    `${task}/${attempt}`,
    agent,
    model ?? '',
    outcome ?? 'running',
    formatDuration(Math.max(0, (finishedAt ?? now) - startedAt)),
    turns > 0 ? String(turns) : '',
    session.session === null ? '' : String(toolCalls),
    usage ? shortCount(usage.inputTokens + usage.cacheWriteTokens) : '',
    usage ? shortCount(usage.cacheReadTokens) : '',
    usage ? shortCount(usage.outputTokens) : '',
    usage ? costText(usage) : '',
  ]
}

const HELP = help(
  `Without --run: the run at work, else the newest. A row per session: task and attempt, agent, model, time, outcome, turns, tool calls,
tokens, cost. --json adds: session (the agent's own id), messages, usage with every kind of token, and transcript (the
files with the agent's output).

--notes prints a note for each session, as Markdown: what the agent did and changed, the checks, its cost, what it
noticed, where its transcript is. With --json a list of them.`,
  '0, or 2 if there is no such run or task.',
  'espalier sessions',
  'espalier sessions --run checkout-7 --task schema',
  'espalier sessions --notes --task schema',
  "espalier sessions --json | jq '.[] | [.task, .agent, .usage.costUsd]'",
)
