// A run in a terminal: a header, and a line for every running task. Lines of ended tasks scroll up, so the scrollback is a
// log.
//
// Properties: draws at most 10 times a second, and at least once a second while something runs; asking the run for
// its counts costs at most a twentieth of the time, however many tasks it has; closing takes the block away and leaves
// the log, because the summary that follows says the same for good.

import { estimateLeftMs, type Left, type Measured } from '../../facts/time-left.ts'
import type { RunEvent } from '../../index.ts'
import type { RunSummary, TaskView } from '../../status.ts'
import { formatDuration } from '../../text/duration.ts'
import { safeLine } from '../../text/safe.ts'
import { displayWidth, fit, fitMiddle, hanging, padEnd, padStart, widest } from '../../text/width.ts'
import { choiceText } from '../status/chosen-model.ts'
import { budgetLines } from '../status/money-lines.ts'
import { queueLine } from '../status/queue-line.ts'
import { headerLines } from '../status/run-header.ts'
import type { HeldBack } from '../status/waiting-lines.ts'
import { holdLines, pauseLines, standInText } from '../status/waiting-lines.ts'
import { type Input, type Look, type Output, width } from '../surroundings.ts'
import { idWidthOf } from '../terminal/columns.ts'
import { glyph, signedLine } from '../terminal/glyph.ts'
import type { Palette } from '../terminal/palette.ts'
import { readKeys } from '../terminal/raw-input.ts'
import { Redraw } from '../terminal/redraw.ts'
import { addTasks, eventLine, mostAttempts, type RunFacts, silentFor, whyFailed } from './event-line.ts'
import { NOT_BROWSING, pressed } from './keys.ts'
import type { LogScreen } from './log-screen.ts'
import { signed } from './plain-view.ts'
import { follow, newProgress, type RunningTask } from './run-progress.ts'
import type { Viewer } from './viewer.ts'

const REDRAW_MS = 100
const TICK_MS = 1_000
const SIGN_WIDTH = 2
const TIME_WIDTH = 7
const GAP = 2
/** At most this share of the time is spent on asking for counts. */
const COUNTS_SHARE = 0.05

type Options = {
  out: Output
  palette: Palette
  facts: RunFacts
  startedAt: number
  summary: () => Pick<RunSummary, 'branch' | 'slots' | 'counts' | 'queue' | 'paused' | 'holds' | 'budgets'>
  heldBack: () => HeldBack
  left: (measured: Measured) => Left | null
  estimateMs: (task: string) => number | null
  /** How far a search is; nothing for a plan. */
  searchLines?: () => string[]
  now: () => number
  /** Where somebody can press keys. */
  keys?: Keys | undefined
}

type Keys = {
  input: Input
  tasks: () => readonly TaskView[]
  openLog: (task: string) => LogScreen
  cancel: (task: string) => void
  /** The run goes on without this view. */
  quit: () => void
}

type Asked = ReturnType<Options['summary']> & { heldBack: HeldBack; left: Left | null; askAgainAt: number }

export class LiveView implements Viewer {
  readonly #options: Options
  readonly #redraw: Redraw
  readonly #progress = newProgress()
  readonly #tick: NodeJS.Timeout
  readonly #resized = () => this.#soon()
  #above: string[] = []
  #note = ''
  #counts: Asked | null = null
  #drawnAt = 0
  readonly #keys: Disposable | null
  #browsing = NOT_BROWSING
  #screen: LogScreen | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(options: Options) {
    this.#options = options
    this.#redraw = new Redraw(options.out)
    this.#tick = setInterval(() => this.#soon(), TICK_MS).unref()
    options.out.on('resize', this.#resized)
    this.#keys = options.keys ? readKeys(options.keys.input, (key) => this.#press(key)) : null
    this.draw()
  }

  event(event: RunEvent, news: boolean): void {
    const { facts, palette } = this.#options
    if (event.type === 'tasks.added') addTasks(facts, event.tasks)
    const line = news ? eventLine(event, this.#progress, facts) : null
    follow(this.#progress, event)
    if (line?.major) this.#above.push(...this.#broken(signed(line, palette), SIGN_WIDTH))
    this.#soon()
  }

  note(text: string): void {
    this.#note = text
    this.draw()
  }

  draw(): void {
    const { out, palette, facts, startedAt, now, estimateMs } = this.#options
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#drawnAt = now()
    if (this.#screen) return
    const look = { width: width(out) - 1, palette } // the last column would make some terminals wrap
    const { branch, slots, counts, queue, paused, holds, heldBack, budgets, left } = this.#countsNow()
    const running = [...this.#progress.running.values()]
    const guessedMs = estimateLeftMs({
      running: running.map(({ id, startedAt }) => ({ id, elapsedMs: now() - startedAt, estimateMs: estimateMs(id) })),
      left,
      slots,
      pausedMs: Math.max(0, ...(paused ?? []).map(({ until }) => until - now())),
    })
    const header = {
      run: facts.run,
      kind: facts.kind,
      branch: facts.kind === 'suite' ? null : branch,
      state: '',
      counts,
      elapsedMs: now() - startedAt,
      leftMs: heldBack.some || this.#progress.isStopping ? null : guessedMs,
    }
    const note = this.#note ? this.#broken(this.#note, 0) : []
    const verifying = queueLine(queue, counts.landing, now())
    const pauses = [...pauseLines(paused, now()), ...holdLines(holds, heldBack, now())]
    const money = budgetLines(budgets, look)
    const search = (this.#options.searchLines?.() ?? []).map((line) => signedLine('running', line, look))
    const foot = this.#footLines(look)
    const spare = search.length + foot.length + Math.max(1, note.length)
    const used = 4 + spare + (verifying ? 1 : 0) + pauses.length + money.length
    const rows = Math.max(1, (out.rows ?? 24) - used)
    const block = [
      '',
      ...headerLines(header, look),
      ...search,
      ...this.#listLines(running, { ...look, now: now(), rows }),
      ...(verifying ? [signedLine('landing', verifying, look)] : []),
      ...pauses.map((pause) => signedLine('pending', pause, look)),
      ...money,
      ...note,
      ...foot,
    ]
    this.#redraw.draw(block, this.#above)
    this.#above = []
  }

  close(): void {
    clearInterval(this.#tick)
    this.#keys?.[Symbol.dispose]()
    this.#screen?.close()
    this.#screen = null
    this.#options.out.removeListener('resize', this.#resized)
    if (this.#timer) clearTimeout(this.#timer)
    this.#redraw.draw([], this.#above)
    this.#redraw.close()
  }

  #soon(): void {
    if (this.#timer) return
    const waitMs = Math.max(0, this.#drawnAt + REDRAW_MS - this.#options.now())
    this.#timer = setTimeout(() => this.draw(), waitMs).unref()
  }

  #press(key: string): void {
    const { keys } = this.#options
    if (!keys) return
    if (this.#screen && key !== '\x03') {
      if (!this.#screen.key(key)) return
      this.#screen.close()
      this.#screen = null
      this.draw()
      return
    }
    const { browsing, action } = pressed(this.#browsing, key, this.#listed())
    this.#browsing = browsing
    if (action.kind === 'open') this.#screen = keys.openLog(action.task)
    else if (action.kind === 'cancel') keys.cancel(action.task)
    else if (action.kind === 'quit') keys.quit()
    else if (action.kind === 'interrupt') process.kill(process.pid, 'SIGINT') // the terminal sends none in raw mode
    this.draw()
  }

  /** The tasks on the list: those at work, or all that the filter is about. */
  #listed(): string[] {
    const { keys, facts } = this.#options
    const running = inPlanOrder([...this.#progress.running.values()], facts).map(({ id }) => id)
    return this.#isFiltered && keys ? filtered(keys.tasks(), this.#browsing.filter).map(({ id }) => id) : running
  }

  get #isFiltered(): boolean {
    return this.#browsing.filter !== '' || this.#browsing.mode === 'filter'
  }

  #listLines(running: RunningTask[], look: Look & { now: number; rows: number }): string[] {
    const { keys, facts } = this.#options
    const { selected, filter } = this.#browsing
    if (!this.#isFiltered || !keys) return taskLines(running, facts, { ...look, selected })
    return filteredLines(filtered(keys.tasks(), filter), { ...look, selected })
  }

  #footLines({ width: columns, palette }: Look): string[] {
    if (!this.#keys) return []
    const { mode, selected, filter } = this.#browsing
    if (mode === 'filter') return [fit(`filter: ${filter}▏  enter keep, esc clear`, columns)]
    if (mode === 'confirm') return [palette.strong(fit(`Cancel ${selected}? y / n`, columns))]
    const what = filter === '' ? '/ filter' : `filter "${filter}", esc clear`
    return [palette.dim(fit(`↑ ↓ select  enter log  c cancel  ${what}  q leave, the run goes on`, columns))]
  }

  /** Wrapped between words: terminals would break anywhere. */
  #broken(text: string, indent: number): string[] {
    return hanging(text, width(this.#options.out) - 1, indent)
  }

  #countsNow(): Asked {
    const askedAt = this.#options.now()
    if (this.#counts && askedAt < this.#counts.askAgainAt) return this.#counts
    const { summary, heldBack, left } = this.#options
    const asked = { ...summary(), heldBack: heldBack(), left: left(this.#progress.measured) }
    const answeredAt = this.#options.now()
    this.#counts = { ...asked, askAgainAt: answeredAt + (answeredAt - askedAt) / COUNTS_SHARE }
    return this.#counts
  }
}

/** In the order of the plan; as many as there are rows for, and how many more there are. */
export function taskLines(
  running: RunningTask[],
  facts: RunFacts,
  {
    now,
    rows,
    width: columns,
    palette,
    selected = null,
  }: Look & { now: number; rows: number; selected?: string | null },
): string[] {
  const sorted = inPlanOrder(running, facts)
  const shown = around(sorted, selected, rows)
  const attemptWidth = widest(shown.map((task) => attemptOf(task, facts)))
  const attemptColumn = attemptWidth === 0 ? 0 : attemptWidth + GAP
  const idWidth = idWidthOf(
    shown.map((task) => task.id),
    columns,
    SIGN_WIDTH + attemptColumn + TIME_WIDTH + 2 * GAP,
  )
  const lines = shown.map((task) => {
    const time = padStart(wholeSeconds(now - task.startedAt), TIME_WIDTH)
    const start = `${padEnd(fitMiddle(task.id, idWidth), idWidth)}  ${padEnd(attemptOf(task, facts), attemptColumn)}${time}`
    const room = columns - 2 - displayWidth(start)
    const sign = task.id === selected ? palette.strong('›') : glyph('running', palette)
    if (room <= 2) return `${sign} ${fit(start, columns - 2)}`
    const message = messageOf(task, now)
    return `${sign} ${start}${message ? `  ${palette.dim(fit(message, room - 2))}` : ''}`
  })
  if (shown.length < sorted.length)
    lines.push(palette.dim(fit(`  … and ${sorted.length - shown.length} more`, columns)))
  return lines
}

/** `4s`: tenths would be drawn ten times a second, in every row. */
function wholeSeconds(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1_000)
  return seconds < 10 ? `${seconds}s` : formatDuration(seconds * 1_000)
}

/** As many as there are rows for, one of them left for how many more there are; the selected one is among them. */
function around<T extends { id: string }>(tasks: readonly T[], selected: string | null, rows: number): readonly T[] {
  if (tasks.length <= rows) return tasks
  const room = Math.max(1, rows - 1)
  const index = tasks.findIndex(({ id }) => id === selected)
  const from = Math.max(0, Math.min(index - room + 1, tasks.length - room))
  return tasks.slice(from, from + room)
}

function filtered(tasks: readonly TaskView[], filter: string): TaskView[] {
  const word = filter.toLowerCase()
  return tasks.filter((task) =>
    [task.id, task.title, task.epic ?? '', task.status].some((text) => text.toLowerCase().includes(word)),
  )
}

function filteredLines(
  tasks: readonly TaskView[],
  { rows, width: columns, palette, selected }: Look & { rows: number; selected: string | null },
): string[] {
  if (tasks.length === 0) return [palette.dim('  no such task')]
  const shown = around(tasks, selected, rows)
  const idWidth = Math.min(Math.floor(columns / 2), widest(shown.map(({ id }) => id)))
  const lines = shown.map((task) => {
    const sign = task.id === selected ? palette.strong('›') : glyph(task.status, palette)
    const told = task.failure ? whyFailed(task.failure) : (task.history.at(-1)?.summary ?? task.title)
    return `${sign} ${fit(`${padEnd(fitMiddle(task.id, idWidth), idWidth)}  ${padEnd(task.status, 9)}  ${safeLine(told)}`, columns - 2)}`
  })
  const left = tasks.length - shown.length
  return left > 0 ? [...lines, palette.dim(fit(`  … and ${left} more`, columns))] : lines
}

function inPlanOrder(running: RunningTask[], facts: RunFacts): RunningTask[] {
  if (running.length < 2) return running
  const byId = new Map(running.map((task) => [task.id, task]))
  const inPlan: RunningTask[] = []
  for (const id of facts.tasks.keys()) {
    const task = byId.get(id)
    if (!task) continue
    inPlan.push(task)
    byId.delete(id)
    if (byId.size === 0) break
  }
  return [...inPlan, ...byId.values()]
}

/** Nothing for the first attempt, then `attempt 2 of 3`. */
function attemptOf({ id, attempt }: RunningTask, facts: RunFacts): string {
  return attempt === 1 ? '' : `attempt ${attempt} of ${mostAttempts({ task: id, attempt }, facts)}`
}

function messageOf(task: RunningTask, now: number): string {
  const { stopping, stalledSince } = task
  if (stopping) return 'is being stopped'
  const said = latestMessage(task)
  if (stalledSince === null) return said
  return `${silentFor(stalledSince, now)}${said ? `, after: ${said}` : ''}`
}

/** There is little room: its message matters more than why this agent or model was chosen. */
function latestMessage({ agent, insteadOf, choice, startedAt, message }: RunningTask): string {
  const said = safeLine(message)
  const by = agent !== undefined && insteadOf ? { agent, insteadOf } : null
  if (!by) return choice ? (said ? `${choice.model}: ${said}` : choiceText(choice)) : said
  return said
    ? `${by.agent}, instead of ${by.insteadOf.agent}: ${said}`
    : standInText(by.agent, by.insteadOf, startedAt)
}
