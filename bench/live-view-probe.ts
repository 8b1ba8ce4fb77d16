// Run by live-view.ts in a terminal of tmux: the live view of a run of 200 tasks, 40 at a time, with 20 events a second.
// Usage: live-view-probe.ts SECONDS RESULT [FRAMES]. RESULT is a JSON object; FRAMES gets what should be on the screen after
// each drawing, one JSON list of lines per line.
import { appendFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { EventLines } from '../src/cli/live/event-line.ts'
import { openLiveView } from '../src/cli/live/live-view.ts'
import { statusTable } from '../src/cli/status/status-table.ts'
import type { Output } from '../src/cli/surroundings.ts'
import { palette } from '../src/cli/terminal/palette.ts'
import type { RunEvent } from '../src/index.ts'
import type { TaskStatus } from '../src/status.ts'
import type { AttemptView, TaskView } from '../src/view.ts'
import { FakeTerminal } from '../test/cli/fake-terminal.ts'
import { sampleRun, sampleTask } from '../test/cli/sample-run.ts'

export type Watched = { percentOfACore: number; bytesPerSecond: number; drawings: number }

const TASKS = 200
const SLOTS = 40
const EVERY_MS = 50
/** Until caches are warm. */
const WARM_UP_MS = 2_000
/** Lines kept of the scrollback: more than a screen. */
const SCREENS = 60
const COMMIT = 'a1b2c3d4'.repeat(5)

const ATTEMPT: AttemptView = {
  ...{ attempt: 1, worker: 'local', slot: 1, base: COMMIT, startedAt: 0, finishedAt: null, outcome: null },
  ...{ failure: null, commit: null, diff: null, usage: null, summary: null },
}

const WORDS = [
  'reads the tests',
  'writes a long line that does not fit into the width of most terminals, 模块 ✓',
  'runs npm test',
]

const STATUS: Partial<Record<RunEvent['type'], TaskStatus>> = {
  ...{ 'attempt.started': 'running', 'attempt.finished': 'landing', 'landing.landed': 'landed' },
}

if (import.meta.main) {
  const [, , seconds = '10', result = '', frames] = process.argv
  const tasks = Array.from({ length: TASKS }, (_, n) => sampleTask(`epic-${n % 7}-task-${n}`, 'pending'))
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const counted = countedOutput(frames)
  const startedAt = Date.now()
  const estimates = new Map(tasks.map(({ id }) => [id, 60_000]))
  const lines = new EventLines({ run: 'large-1', tasks: TASKS, retries: 1, find: () => null })
  const view = openLiveView({
    out: counted.out,
    palette: palette(true),
    lines,
    now: Date.now,
    table: (look) => {
      const run = sampleRun(tasks, { run: 'large-1', branch: 'espalier/large-1', slots: SLOTS, startedAt })
      return statusTable(run, { ...look, estimates })
    },
  })
  const play = events(tasks)
  let before = process.cpuUsage()
  let [measuredFrom, bytesBefore] = [0, 0]
  for (let n = 0; Date.now() - startedAt < Number(seconds) * 1_000; n++) {
    if (measuredFrom === 0 && Date.now() - startedAt > WARM_UP_MS)
      [measuredFrom, before, bytesBefore] = [Date.now(), process.cpuUsage(), counted.bytes()]
    const event = play.next().value
    change(byId.get(event.type === 'landing.landed' ? (event.tasks[0] ?? '') : nameIn(event)), event)
    view.event(event, true)
    await wait(Math.max(0, startedAt + n * EVERY_MS - Date.now()))
  }
  const { user, system } = process.cpuUsage(before)
  const tookMs = Date.now() - measuredFrom
  const bytesPerSecond = ((counted.bytes() - bytesBefore) * 1_000) / tookMs
  const watched = { percentOfACore: (user + system) / 10 / tookMs, bytesPerSecond, drawings: counted.drawings() }
  writeFileSync(`${result}.part`, JSON.stringify(watched satisfies Watched))
  renameSync(`${result}.part`, result)
  await new Promise(() => setInterval(() => {}, 1_000)) // the last frame stays until the terminal is closed
}

/** Standard output, and what it should look like. */
function countedOutput(frames: string | undefined): { out: Output; bytes: () => number; drawings: () => number } {
  const { stdout } = process
  const screen = frames === undefined ? null : Object.assign(new FakeTerminal(stdout.columns), { rows: stdout.rows })
  let [bytes, drawings] = [0, 0]
  const write = (text: string) => {
    bytes += Buffer.byteLength(text)
    drawings += 1
    if (screen && frames !== undefined) {
      screen.write(text)
      // Before it can be seen.
      appendFileSync(frames, `${JSON.stringify(screen.screen.slice(-SCREENS))}\n`)
    }
    return stdout.write(text)
  }
  const out = Object.create(stdout, { write: { value: write } }) as Output
  return { out, bytes: () => bytes, drawings: () => drawings }
}

/** Without end: 16 of 20 are messages, the others start, end and land a task. */
function* events(tasks: readonly TaskView[]): Generator<RunEvent, never> {
  const running: TaskView[] = []
  let [next, n] = [0, 0]
  for (;;) {
    n += 1
    const stamp = { at: Date.now(), seq: n }
    while (running.length < SLOTS) {
      const task = tasks[next % TASKS] as TaskView
      next += 1
      running.push(task)
      const attempt = {
        task: task.id,
        attempt: 1,
        slot: (next % SLOTS) + 1,
        base: COMMIT,
        deadline: 0,
        worker: 'local',
      }
      yield { type: 'attempt.started', ...attempt, ...stamp }
    }
    const task = running[n % SLOTS] as TaskView
    yield {
      type: 'attempt.progress',
      task: task.id,
      attempt: 1,
      at: Date.now(),
      message: `edits src/file-${n}.ts: ${WORDS[n % 3]}`,
    }
    if (n % 10 !== 0) continue
    const [done] = running.splice(0, 1) as [TaskView]
    const diff = { files: 2, insertions: n, deletions: 1 }
    const none = { commit: COMMIT, failure: null, usage: null, summary: null, session: null }
    yield {
      type: 'attempt.finished',
      task: done.id,
      attempt: 1,
      outcome: 'changed',
      diff,
      ...none,
      ...stamp,
    } as RunEvent
    yield { type: 'landing.landed', tasks: [done.id], commit: COMMIT, onto: COMMIT, ...stamp }
  }
}

function change(task: TaskView | undefined, { type, at }: RunEvent): void {
  if (!task) return
  task.status = STATUS[type] ?? task.status
  if (type === 'attempt.started') task.history = [{ ...ATTEMPT, startedAt: at }]
  for (const attempt of type === 'attempt.finished' ? task.history : []) attempt.finishedAt = at
}

function nameIn(event: RunEvent): string {
  return 'task' in event && typeof event.task === 'string' ? event.task : ''
}
