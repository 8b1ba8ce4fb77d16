// What Claude Code writes down of a conversation: `projects/WORKTREE/ID.jsonl` in its folder, and beside it
// `ID/subagents/*.jsonl`, with the tokens of every answer of its model. Of an answer its output tells only how it began,
// and of a subagent not all answers: of a process that was ended this is more.
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lastLines } from '../../files/ends-of-file.ts'
import { addUsage, NO_USAGE, type Usage } from '../../usage.ts'
import type { Environment } from '../agent.ts'
import { jsonLine, objectAt, textAt } from '../json-line.ts'
import { claudeUsage } from './usage.ts'

/** Of the answers since `since`: those before it are of an earlier process. Null: it has written nothing. */
export async function usageInProject(session: string, since: number, environment: Environment): Promise<Usage | null> {
  const transcript = await findTranscript(session, environment)
  if (transcript === null) return null
  // One answer comes in several lines, one for each of its parts.
  const answers = new Map<string, Usage>()
  const collect = async (path: string, bytes: number) => {
    for (const text of await lastLines(path, bytes)) {
      const line = text.includes('"usage"') ? jsonLine(text) : null
      const message = line?.type === 'assistant' ? objectAt(line, 'message') : null
      if (!message || Date.parse(textAt(line, 'timestamp') ?? '') < since) continue
      answers.set(textAt(message, 'id') ?? '', claudeUsage(message))
    }
  }
  await collect(transcript, PROJECT_BYTES)
  for (const path of await subagentFiles(join(dirname(transcript), session, 'subagents'), since))
    await collect(path, SUBAGENT_BYTES)
  return answers.size === 0 ? null : [...answers.values()].reduce(addUsage, NO_USAGE)
}

/** Of the main conversation or of a subagent, with the tokens it has cost in the end. */
export async function isAnswerInProject(session: string, answer: string, environment: Environment): Promise<boolean> {
  const transcript = await findTranscript(session, environment)
  if (transcript === null) return false
  const subagents = await subagentFiles(join(dirname(transcript), session, 'subagents'), 0)
  for (const path of [transcript, ...subagents])
    for (const text of await lastLines(path, NEWEST_BYTES)) {
      const message = text.includes(answer) ? objectAt(jsonLine(text), 'message') : null
      if (textAt(message, 'id') === answer && textAt(message, 'stop_reason') !== null) return true
    }
  return false
}

/** The newest that has answered in the main conversation. */
export async function modelInProject(session: string, environment: Environment): Promise<string | null> {
  const transcript = await findTranscript(session, environment)
  const lines = transcript === null ? [] : await lastLines(transcript, NEWEST_BYTES)
  for (const text of lines.reverse()) {
    const line = text.includes('"model"') ? jsonLine(text) : null
    const model = line?.type === 'assistant' ? textAt(line, 'message', 'model') : null
    if (model && model !== SYNTHETIC) return model
  }
  return null
}

/** What it puts in itself where a model should have answered. */
const SYNTHETIC = '<synthetic>'

/** In the folder of its worktree, or, where it was begun in another one, in the folder of that. */
export async function findTranscript(session: string, environment: Environment): Promise<string | null> {
  if (!/^[\w-]+$/.test(session)) return null
  const home = environment.CLAUDE_CONFIG_DIR || join(environment.HOME ?? '/', '.claude')
  const projects = join(home, 'projects')
  const own = (environment.ESPALIER_WORKTREE ?? '').replaceAll(/[^a-zA-Z0-9]/g, '-')
  const others = await readdir(projects).catch(() => [])
  for (const project of [own, ...others.slice(0, MAX_PROJECTS)]) {
    const path = join(projects, project, `${session}.jsonl`)
    if (await stat(path).catch(() => null)) return path
  }
  return null
}

/** Those that were written to since then. */
async function subagentFiles(folder: string, since: number): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const found: string[] = []
  for (const name of names.filter((one) => one.endsWith('.jsonl')).slice(0, MAX_FILES)) {
    const path = join(folder, name)
    const file = await stat(path).catch(() => null)
    if (file && file.mtimeMs >= since && found.length < MAX_SUBAGENTS) found.push(path)
  }
  return found
}

/** The newest part of a long conversation: what lies before it is not counted. */
const PROJECT_BYTES = 16_000_000
/** Enough for what was written last. */
const NEWEST_BYTES = 1_000_000
const SUBAGENT_BYTES = 2_000_000
/** Of one process, and of all processes of the conversation: what is beyond is not counted. */
const MAX_SUBAGENTS = 100
const MAX_FILES = 1_000
const MAX_PROJECTS = 1_000
