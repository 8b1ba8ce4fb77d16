// A run in a terminal: a header, and a line for every running task. Lines of ended tasks scroll up, so the scrollback is a
// log.
//
// Properties: draws at most 10 times a second, and at least once a second while something runs; asking the run for
// its counts costs at most a twentieth of the time, however many tasks it has; closing takes the block away and leaves
// the log, because the summary that follows says the same for good.
import type { RunEvent } from '../../index.ts'
import type { RunSummary } from '../../status.ts'
import { formatDuration } from '../../text/duration.ts'
import { safeLine } from '../../text/safe.ts'
import { displayWidth, fit, fitMiddle, hanging, padEnd, padStart, widest } from '../../text/width.ts'
import { choiceText } from '../status/chosen-model.ts'
import { budgetLines } from '../status/money-lines.ts'
import { queueLine } from '../status/queue-line.ts'
import { headerLines } from '../status/run-header.ts'
import type { HeldBack } from '../status/waiting-lines.ts'
import { holdLines, pauseLines, standInText } from '../status/waiting-lines.ts'
import { type Look, type Output, width } from '../surroundings.ts'
import { idWidthOf } from '../terminal/columns.ts'
import { glyph, signedLine } from '../terminal/glyph.ts'
import type { Palette } from '../terminal/palette.ts'
import { Redraw } from '../terminal/redraw.ts'
import { addTasks, eventLine, type RunFacts, silentFor } from './event-line.ts'
import { signed } from './plain-view.ts'
import { follow, newProgress, type RunningTask } from './run-progress.ts'
import { estimateLeftMs, type Left, type Measured } from './time-left.ts'
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
  #timer: NodeJS.Timeout | null = null

  constructor(options: Options) {
    this.#options = options
    this.#redraw = new Redraw(options.out)
    this.#tick = setInterval(() => this.#soon(), TICK_MS).unref()
    options.out.on('resize', this.#resized)
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
    const look = { width: width(out) - 1, palette } // the last column would make some terminals wrap
    const { branch, slots, counts, queue, paused, holds, heldBack, budgets, left } = this.#countsNow()
    const running = [...this.#progress.running.values()]
    const guessedMs = estimateLeftMs({
      running: running.map(({ id, startedAt }) => ({ id, elapsedMs: now() - startedAt, estimateMs: estimateMs(id) })),
      left,
      slots,
    })
    const header = {
      run: facts.run,
      branch,
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
    const used = 4 + search.length + Math.max(1, note.length) + (verifying ? 1 : 0) + pauses.length + money.length
    const rows = Math.max(1, (out.rows ?? 24) - used)
    const block = [
      '',
      ...headerLines(header, look),
      ...search,
      ...taskLines(running, facts, { ...look, now: now(), rows }),
      ...(verifying ? [signedLine('landing', verifying, look)] : []),
      ...pauses.map((pause) => signedLine('pending', pause, look)),
      ...money,
      ...note,
    ]
    this.#redraw.draw(block, this.#above)
    this.#above = []
  }

  close(): void {
    clearInterval(this.#tick)
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
  { now, rows, width: columns, palette }: Look & { now: number; rows: number },
): string[] {
  const sorted = inPlanOrder(running, facts)
  const shown = sorted.length > rows ? sorted.slice(0, rows - 1) : sorted
  const tryWidth = Math.max(3, widest(shown.map((task) => tryOf(task, facts))))
  const idWidth = idWidthOf(
    shown.map((task) => task.id),
    columns,
    SIGN_WIDTH + tryWidth + TIME_WIDTH + 3 * GAP,
  )
  const lines = shown.map((task) => {
    const time = padStart(formatDuration(Math.max(0, now - task.startedAt)), TIME_WIDTH)
    const start = `${padEnd(fitMiddle(task.id, idWidth), idWidth)}  ${padEnd(tryOf(task, facts), tryWidth)}  ${time}`
    const room = columns - 2 - displayWidth(start)
    if (room <= 2) return `${glyph('running', palette)} ${fit(start, columns - 2)}`
    const message = messageOf(task, now)
    return `${glyph('running', palette)} ${start}${message ? `  ${palette.dim(fit(message, room - 2))}` : ''}`
  })
  if (shown.length < sorted.length)
    lines.push(palette.dim(fit(`  … and ${sorted.length - shown.length} more`, columns)))
  return lines
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

/** `1/2`, and after an interruption, which is not counted as a try, `#3 1/2`. */
function tryOf({ id, attempt, turn }: RunningTask, facts: RunFacts): string {
  const tries = `${turn}/${facts.tasks.get(id)?.tries ?? 1}`
  return attempt === turn ? tries : `#${attempt} ${tries}`
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
