import { readSessionNotes, readSessions } from '../../engine/query/agent-sessions.ts'
import { renderNote } from '../../reports/sections/notes.ts'
import { flag, help, inWorkspace, ONE_OBJECT, WHICH_RUN } from '../command-line/command.ts'
import { knownTask } from '../inputs/known-run.ts'
import { lookOf } from '../surroundings.ts'
import { sessionLines } from '../tables/sessions-table.ts'

export const commands = {
  sessions: inWorkspace(
    {
      run: WHICH_RUN,
      task: flag('--task <task>', 'only this task'),
      notes: flag('--notes', 'a note for each session: what was done, how it was checked, what the agent noticed'),
      json: ONE_OBJECT,
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
      "espalier sessions --json | jq '.sessions[] | [.task, .agent, .usage.costUsd]'",
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
