// A row for each session of an agent.
import type { SessionView } from '../../engine/query/agent-sessions.ts'
import { formatDuration } from '../../text/duration.ts'
import { costText, shortCount } from '../../text/usage-text.ts'
import type { LookNow } from '../surroundings.ts'
import { tableLines } from '../terminal/table.ts'

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
