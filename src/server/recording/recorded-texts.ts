// What a page holds of transcripts, diffs and prompts: as much as it has room for.

import { readTranscript } from '../../engine/query/attempt-output.ts'
import { readDiff } from '../../engine/query/diff.ts'
import { readPrompt } from '../../engine/query/show-prompt.ts'
import type { AttemptView, TaskView } from '../../view.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { RecordedRun } from './recording.ts'

/** Of all texts together, and of one: a page for 100 tasks stays below 1.5 MB. */
const ALL_CHARS = 2_000_000
const TEXT_CHARS = { transcript: 24_000, diff: 48_000, prompt: 16_000 } as const
/** Tasks whose texts are read at the same time: each starts a git process or two. */
const AT_ONCE = 4

/** The room for texts in a page. */
export class TextRoom {
  #left = ALL_CHARS

  get isFull(): boolean {
    return this.#left <= 0
  }

  /** The end of the text that is kept; null: none. */
  take(text: string | null, kind: keyof typeof TEXT_CHARS): string | null {
    if (text === null || this.isFull) return null
    const most = TEXT_CHARS[kind]
    const kept = text.length > most ? `… the beginning is left out …\n${text.slice(-most)}` : text
    this.#left -= kept.length
    return kept
  }
}

/** Failed tasks first, and the newest attempt first, as long as there is room. */
export async function recordTexts(
  { recording, workspace, project, run }: RecordedRun,
  room: TextRoom,
  tasks: readonly TaskView[],
): Promise<void> {
  const ordered = [...tasks.filter(({ failure }) => failure), ...tasks.filter(({ failure }) => !failure)]
  const record = async (task: TaskView) => {
    for (const attempt of task.history.toReversed()) {
      if (room.isFull) return
      const which = { run, task: task.id, attempt: attempt.attempt }
      const words = { project, ...which }
      const transcript = room.take(await transcriptOf(workspace, which), 'transcript')
      if (transcript !== null) recording.put('tasks.transcript', words, transcript)
      const diff = room.take(await diffOf(workspace, which, attempt), 'diff')
      if (diff !== null) recording.put('tasks.diff', words, diff)
      const prompt = room.take(await promptOf(workspace, which), 'prompt')
      if (prompt !== null) recording.put('tasks.prompt', words, prompt)
    }
    const landed = task.landedCommit === null ? null : await landedDiff(workspace, run, task.id)
    const kept = room.take(landed, 'diff')
    if (kept !== null) recording.put('tasks.diff', { project, run, task: task.id, landed: true }, kept)
  }
  const queue = ordered.values()
  const worker = async () => {
    for (const task of queue) await record(task)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

type Which = { run: string; task: string; attempt: number }

async function transcriptOf(workspace: Workspace, which: Which): Promise<string | null> {
  const read = await readTranscript(workspace, which)
  if (!read.ok) return null
  const parts: Buffer[] = []
  for await (const part of read.value) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

async function diffOf(workspace: Workspace, which: Which, { commit }: AttemptView): Promise<string | null> {
  if (commit === null) return null
  const read = await readDiff(workspace, { ...which, landed: false }, TEXT_CHARS.diff)
  return read.ok ? cutEnd(read.value) : null
}

async function landedDiff(workspace: Workspace, run: string, task: string): Promise<string | null> {
  const read = await readDiff(workspace, { run, task, landed: true }, TEXT_CHARS.diff)
  return read.ok ? cutEnd(read.value) : null
}

async function promptOf(workspace: Workspace, which: Which): Promise<string | null> {
  const read = await readPrompt(workspace, which)
  return read.ok ? read.value : null
}

function cutEnd({ patch, isCut }: { patch: Buffer; isCut: boolean }): string {
  return isCut
    ? `${patch.toString('utf8')}\n… there is more of it: look at the commits with git\n`
    : patch.toString('utf8')
}
