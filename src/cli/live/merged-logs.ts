// The output of several tasks, or of all of them, one line at a time with its task in front, or as an object.
import { readLog, readTranscript } from '../../engine/query/attempt-output.ts'
import { jsonOutput } from '../../text/json.ts'
import { safeColoured, safeText } from '../../text/safe.ts'
import { fitMiddle, padEnd, widest } from '../../text/width.ts'
import type { RunView, TaskView } from '../../view.ts'
import { watchRun } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { Surroundings } from '../surroundings.ts'
import { namedHeadings } from '../task/step-headings.ts'
import { writeLine } from '../terminal/write-line.ts'

type Options = {
  view: RunView
  /** Null: all. */
  tasks: readonly string[] | null
  follow: boolean
  transcript: boolean
  json: boolean
  /** By default the last one. */
  attempt?: number | undefined
}

/** Prints one attempt. */
type Print = (task: string, attempt: number, isFollowed: boolean) => Promise<void>

/** Without `follow` one task after the other: when a line was printed is not known. True: something was printed. */
export async function printMerged(
  workspace: Workspace,
  options: Options,
  { out, outPalette }: Surroundings,
): Promise<boolean> {
  const { view, tasks, transcript } = options
  const wanted = tasks && new Set(tasks)
  const mine = ({ tasks: all }: RunView) => (wanted ? all.filter(({ id }) => wanted.has(id)) : all)
  const columns = Math.min(WIDEST, widest(mine(view).map(({ id }) => id)))
  const safe = outPalette.strong('x') === 'x' ? safeText : safeColoured
  const read = transcript ? readTranscript : readLog
  let isSomething = false
  const print: Print = async (task, attempt, isFollowed) => {
    const log = await read(workspace, { run: view.run, task, attempt, follow: isFollowed })
    if (!log.ok) return
    const label = outPalette.dim(`${padEnd(fitMiddle(task, columns), columns)} │`)
    const output = eachThrough(log.value, namedHeadings(workspace, { run: view.run }, task))
    for await (const text of linesOf(output)) {
      isSomething = true
      await writeLine(out, options.json ? jsonOutput({ task, attempt, text }) : `${label} ${safe(text)}`)
    }
  }
  if (options.follow && view.engine) await followAll(workspace, { view, mine, isNamed: wanted !== null }, print)
  else
    for (const { id, attempts } of mine(view))
      if (attempts > 0) await print(id, Math.min(options.attempt ?? attempts, attempts), false)
  return isSomething
}

type Followed = { view: RunView; mine: (view: RunView) => readonly TaskView[]; isNamed: boolean }

/** Until they are over, or nobody works on the run. Named tasks begin with their last attempt, others with what is at work. */
async function followAll(workspace: Workspace, { view, mine, isNamed }: Followed, print: Print): Promise<void> {
  const isSkipped = ({ finishedAt }: TaskView) => finishedAt !== null && !isNamed
  const seen = new Map(mine(view).map((task) => [task.id, isSkipped(task) ? task.attempts : task.attempts - 1]))
  const followed: Promise<void>[] = []
  for await (const now of watchRun(workspace, { run: view.run, everyMs: LOOK_MS })) {
    if (!now.ok || !now.value) break
    const tasks = mine(now.value)
    for (const { id, attempts } of tasks) {
      for (let attempt = Math.max(0, seen.get(id) ?? 0) + 1; attempt <= attempts; attempt += 1)
        followed.push(print(id, attempt, true))
      seen.set(id, attempts)
    }
    if (!now.value.engine || tasks.every(({ finishedAt }) => finishedAt !== null)) break
  }
  await Promise.all(followed)
}

const WIDEST = 24
const LOOK_MS = 500

async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > LONGEST) {
      yield rest
      rest = ''
    }
  }
  if (rest !== '') yield rest
}

async function* eachThrough(
  chunks: AsyncIterable<Uint8Array>,
  change: (chunk: Uint8Array) => Promise<Uint8Array | string>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const changed = await change(chunk)
    yield typeof changed === 'string' ? Buffer.from(changed) : changed
  }
}

/** A program may never end its line: what is longer comes in parts. */
const LONGEST = 64_000
