// The tools of the task manager. Their descriptions are read by models, in every conversation: a sentence or two each.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import { LIMITS } from '../../config.ts'

import { type AnswerTo, type Ask, ask, type ClaimAnswer } from '../../engine/requests/agent-tool-calls.ts'
import type { NoteKind } from '../../status.ts'
import type { AttemptIdentity } from '../../workspace/attempt-variables.ts'

export function taskServer(identity: AttemptIdentity | null, version: string): McpServer {
  const server = new McpServer({ name: 'espalier', version }, { instructions: INSTRUCTIONS })
  const reads = { readOnlyHint: true, openWorldHint: false }
  const tells = { readOnlyHint: false, destructiveHint: false, openWorldHint: false }
  const note = (kind: NoteKind, text: string, details?: string) =>
    answer(identity, { type: 'note', kind, text, details }, () => THANKS[kind])

  server.registerTool(
    'get_task',
    {
      description: 'Your task: its words, what you may write, what has to pass, what it builds on, the time left.',
      annotations: reads,
    },
    () => answer(identity, { type: 'task' }, json),
  )
  server.registerTool(
    'list_running',
    {
      description: 'Who works on what in this repository right now, and which paths they have claimed.',
      annotations: reads,
    },
    () => answer(identity, { type: 'running' }, json),
  )
  server.registerTool(
    'update_task',
    {
      description:
        'Tell how your task stands. progress: a line for those who watch. done: what you did, once it is finished. ' +
        'blocked: you cannot finish it, and why; the task then fails with these words and is not tried again.',
      inputSchema: { status: z.enum(['progress', 'done', 'blocked']), text },
      annotations: tells,
    },
    ({ status, text }) => note(status, text),
  )
  server.registerTool(
    'log_issue',
    {
      description: 'Report something wrong that you came across and that is not for your task to put right.',
      inputSchema: { title: text, details },
      annotations: tells,
    },
    ({ title, details }) => note('issue', title, details),
  )
  server.registerTool(
    'note_follow_up',
    {
      description: 'Propose work for later that your task has shown to be useful. Do not do it now.',
      inputSchema: { title: text, details },
      annotations: tells,
    },
    ({ title, details }) => note('follow-up', title, details),
  )
  server.registerTool(
    'add_lesson',
    {
      description:
        'Tell later tasks in this repository something you had to find out and that its files do not say, in a sentence.',
      inputSchema: { text },
      annotations: tells,
    },
    ({ text }) => note('lesson', text),
  )
  server.registerTool(
    'request_claim',
    {
      description:
        'Ask to write paths besides those your task has claimed, before you write them. ' +
        'Granted unless another task has claimed them.',
      inputSchema: {
        paths: z.array(z.string()).min(1).max(LIMITS.askedPaths).describe('Paths or globs, from the top'),
      },
      annotations: tells,
    },
    ({ paths }) => answer(identity, { type: 'claim', paths }, claimText),
  )
  return server
}

/** Long texts are cut, not refused: the model would only send them again. */
const text = z.string().min(1)
const details = z.string().optional()

const INSTRUCTIONS =
  'You are one of several agents that work on this repository at the same time, each on a task of its own in a ' +
  'worktree of its own. These tools are about your task alone.'

const THANKS: Record<NoteKind, string> = {
  progress: 'Noted.',
  done: 'Noted. End your work now: the checks follow by themselves.',
  blocked:
    'Noted. End your work now. If you find a way after all, tell your progress: then you are not blocked any more.',
  issue: 'Noted for the people who look after this run. Go on with your task.',
  'follow-up': 'Noted for the people who look after this run. Go on with your task.',
  lesson: 'Noted. Later tasks of this kind are told. Go on with your task.',
}

async function answer<A extends Ask>(
  identity: AttemptIdentity | null,
  asked: A,
  say: (value: AnswerTo<A>) => string,
): Promise<CallToolResult> {
  if (!identity) return failed(NO_IDENTITY)
  const result = await ask(identity, asked)
  if (!result.ok) return failed(result.problems.map(({ message }) => message).join('; '))
  return { content: [{ type: 'text', text: say(result.value) }] }
}

const NO_IDENTITY =
  'this server was not started by an agent of a run: ESPALIER_RUN and the variables that go with it are missing'

function failed(message: string): CallToolResult {
  return { content: [{ type: 'text', text: message }], isError: true }
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

function claimText(claim: ClaimAnswer): string {
  const paths = claim.paths.join(', ')
  switch (claim.answer) {
    case 'granted':
      return `Granted: you may write ${paths}.`
    case 'refused':
      return `Refused: ${claim.holder} has claimed some of ${paths}, and does not share it now. Write nothing there. Find another way, or ask again later; if your task cannot be done without it, say so with update_task, status blocked.`
    case 'open': {
      const why = claim.engine ? 'The engine is busy' : 'No engine works on this run at the moment'
      return `Not answered yet. ${why}: your request is kept. Write nothing there until get_task shows it among what you asked for, with no holder.`
    }
    default:
      return claim satisfies never
  }
}
