// `espalier mcp`: the task manager over the Model Context Protocol. The descriptions of its tools are read by models, in every
// conversation: a sentence or two each.
import type { Readable, Writable } from 'node:stream'
import { McpServer, type ToolCallback } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import { type AnswerTo, type Ask, ask, type ClaimAnswer } from '../../engine/requests/agent-tool-calls.ts'
import type { NoteKind } from '../../status.ts'
import type { AttemptIdentity } from '../../workspace/attempt-variables.ts'

/**
 * Resolves at the end of its input; calls before that are still answered. `identity`: null where no agent of a run started it; its
 * tools answer with that.
 */
export async function serveTaskManager(
  identity: AttemptIdentity | null,
  version: string,
  { input, output }: { input: Readable; output: Writable },
): Promise<void> {
  const gone = new Promise<void>((resolve) => input.once('end', resolve).once('close', resolve))
  await taskServer(identity, version).connect(new StdioServerTransport(input, output))
  await gone
}

function taskServer(identity: AttemptIdentity | null, version: string): McpServer {
  const server = new McpServer({ name: 'espalier', version }, { instructions: INSTRUCTIONS })
  const show = (name: string, description: string, type: 'task' | 'running') => {
    const annotations = { readOnlyHint: true, openWorldHint: false }
    server.registerTool(name, { description, annotations }, () => answer(identity, { type }, json))
  }
  const tell = <Input extends z.ZodRawShape>(
    name: string,
    description: string,
    inputSchema: Input,
    call: ToolCallback<Input>,
  ) => {
    const annotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false }
    server.registerTool(name, { description, inputSchema, annotations }, call)
  }
  const note = (kind: NoteKind, text: string, details?: string) =>
    answer(identity, { type: 'note', kind, text, details }, () => THANKS[kind])

  show(
    'get_task',
    'Your task: its words, what you may write, what has to pass, what it builds on, the time left.',
    'task',
  )
  show('list_running', 'Who works on what in this repository right now, and which paths they have claimed.', 'running')
  tell(
    'update_task',
    'Tell how your task stands. progress: a line for those who watch. done: what you did, once it is finished. ' +
      'blocked: you cannot finish it, and why; the task then fails with these words and is not tried again.',
    { status: z.enum(['progress', 'done', 'blocked']), text },
    ({ status, text }) => note(status, text),
  )
  tell(
    'log_issue',
    'Report something wrong that you came across and that is not for your task to put right.',
    { title: text, details },
    ({ title, details }) => note('issue', title, details),
  )
  tell(
    'note_follow_up',
    'Propose work for later that your task has shown to be useful. Do not do it now.',
    { title: text, details },
    ({ title, details }) => note('follow-up', title, details),
  )
  tell(
    'add_lesson',
    'Tell later tasks in this repository something you had to find out and that its files do not say, in a sentence.',
    { text },
    ({ text }) => note('lesson', text),
  )
  tell(
    'request_claim',
    'Ask to write paths besides those your task has claimed, before you write them. ' +
      'Granted unless another task has claimed them.',
    { paths: z.array(z.string()).min(1).max(LIMITS.askedPaths).describe('Paths or globs, from the top') },
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
