// What Claude Code writes down of a conversation: `projects/WORKTREE/ID.jsonl` in its folder, and beside it
// `ID/subagents/*.jsonl`, with the tokens of every answer of its model. Of an answer its output tells only how it began,
// and of a subagent not all answers: of a process that was ended this is more.
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { addUsage, NO_USAGE, type Usage } from '../../usage.ts'
import type { Environment, ProcessOfConversation, UsageInFiles } from '../agent.ts'
import { isWithin, linesWith } from '../conversation-file.ts'
import { objectAt, textAt } from '../json-line.ts'
import { claudeUsage } from './usage.ts'

export async function usageInProject(process: ProcessOfConversation): Promise<UsageInFiles | null> {
  const { session, since, newestAnswer, environment } = process
  const transcript = await findTranscript(session, environment)
  if (transcript === null) return null
  // One answer comes in several lines, one for each of its parts.
  const answers = new Map<string, Usage>()
  let [model, isComplete]: [string | null, boolean] = [null, newestAnswer === null]
  const subagents = await subagentFiles(join(dirname(transcript), session, 'subagents'), since)
  for (const path of [transcript, ...subagents])
    for (const line of await linesWith('"usage"', path, path === transcript ? PROJECT_BYTES : SUBAGENT_BYTES)) {
      const message = line.type === 'assistant' ? objectAt(line, 'message') : null
      if (!message || !isWithin(line, process)) continue
      const [id, used] = [textAt(message, 'id') ?? '', textAt(message, 'model')]
      answers.set(id, claudeUsage(message))
      if (path === transcript && used !== SYNTHETIC) model = used ?? model
      if (id === newestAnswer && textAt(message, 'stop_reason') !== null) isComplete = true
    }
  return { usage: answers.size === 0 ? null : [...answers.values()].reduce(addUsage, NO_USAGE), model, isComplete }
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
const SUBAGENT_BYTES = 2_000_000
/** Of one process, and of all processes of the conversation: what is beyond is not counted. */
const MAX_SUBAGENTS = 100
const MAX_FILES = 1_000
const MAX_PROJECTS = 1_000
