import type { SessionView } from '../../engine/run/session-summary.ts'
import { readSessionNotes, readSessions } from '../../engine/run/session-summary.ts'
import { renderNote } from '../../reports/sections/notes.ts'
import { formatDuration } from '../../text/duration.ts'
import { costText, shortCount } from '../../text/usage-text.ts'
import { flag, help, inWorkspace, LIST, WHICH_RUN } from '../command-line/command.ts'
import { knownTask } from '../inputs/known-run.ts'
import { type LookNow, lookOf } from '../surroundings.ts'
import { tableLines } from '../terminal/table.ts'

export const commands = {
  sessions: inWorkspace(
    {
      run: WHICH_RUN,
      task: flag('--task <task>', 'only this task'),
      notes: flag('--notes', 'a note for each session: what was done, how it was checked, what the agent noticed'),
      json: LIST,
    },
    help(
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
    ),
    async (here, flags) => {
      const { workspace } = here
      const known = await knownTask(workspace, flags.run, flags.task)
      if (!known.ok) return known
      const {
        view: { run },
        task,
      } = known.value
      const none = `no sessions in ${task ? `${task} of ` : ''}run ${run}`
      if (flags.notes) {
        const notes = await readSessionNotes(workspace, { run, task })
        if (!notes.ok) return notes
        const text = notes.value.map(renderNote).join('\n')
        return { json: { notes: notes.value }, lines: text === '' ? [] : text.trimEnd().split('\n'), none }
      }
      const read = await readSessions(workspace, { run, task })
      if (!read.ok) return read
      const lines = read.value.length > 0 ? sessionLines(read.value, lookOf(here)) : []
      return { json: { sessions: read.value }, lines, none }
    },
  ),
}

const HEAD = ['task', 'agent', 'model', 'outcome', 'time', 'turns', 'tools', 'in', 'cached', 'out', 'cost']
const FIGURES_FROM = 4

export function sessionLines(sessions: SessionView[], look: LookNow): string[] {
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
