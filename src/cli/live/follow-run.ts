// Follows an opened run to its end: shows its events, handles Ctrl-C, and prints the result.
import { unchangedFacts } from '../../facts/changes.ts'
import { estimatesOf, roughWorkLeft, workLeft } from '../../facts/time-left.ts'
import type { Run, RunResult } from '../../index.ts'
import type { PauseView, RunKind } from '../../status.ts'
import { nameList } from '../../text/name-list.ts'
import { EXIT, type ExitStatus, exitStatusOf } from '../exit-status.ts'
import { searchSummary, treeLines } from '../search/summary-lines.ts'
import { writeResult } from '../search/write-result.ts'
import { resultOutside } from '../status/result-outside.ts'
import { doneText } from '../status/run-header.ts'
import { summaryLines } from '../status/summary.ts'
import { heldBackIn, NONE_HELD_BACK, pauseBegan } from '../status/waiting-lines.ts'
import { lookOf, type Surroundings } from '../surroundings.ts'
import { endByHangUp, isInTerminal } from '../terminal/hang-up.ts'
import { handleInterruption } from '../terminal/interruption.ts'
import { type Notice, notify } from '../terminal/notify.ts'
import { printLines } from '../terminal/print.ts'
import { continueDetached } from './detached-engine.ts'
import { addTasks, type RunFacts } from './event-line.ts'
import { jsonView } from './json-view.ts'
import { LiveView } from './live-view.ts'
import { LogScreen } from './log-screen.ts'
import { plainView } from './plain-view.ts'
import { exitOfSuite, type SuiteOutputs, suiteEnd } from './suite-end.ts'
import { startTrace } from './trace.ts'
import { showEvents, type Viewer } from './viewer.ts'

type Options = {
  json: boolean
  /** Events from before this time were shown by an earlier process. */
  since: number
  repeat: string
  /** No view of the run, only its summary. */
  quiet?: boolean | undefined
  /** What is to be written of a suite at its end. */
  suite?: SuiteOutputs
}

/** Above this many tasks the finish time is estimated roughly, and tasks that wait for holds are not shown: looking at all tasks would slow the run. */
const CHAIN_TASKS = 5_000

export async function runToRest(run: Run, options: Options, surroundings: Surroundings): Promise<ExitStatus> {
  const quit = new AbortController()
  const json = options.json ? jsonView(run.id, surroundings.out, surroundings.err, Date.now) : null
  const view =
    json ??
    (options.suite?.json || options.quiet
      ? silentView(surroundings)
      : humanView(run, { ...options, quit }, surroundings))
  const orphans = run.orphansEnded === 1 ? '1 process' : `${run.orphansEnded} processes`
  if (run.orphansEnded > 0) view.note(`ended ${orphans} that earlier attempts had left running`)
  const leave: Leave = (signal) => {
    const { status, counts } = run.summary()
    json?.finish({ run: run.id, status, interrupted: true, branch: run.branch, counts, abandoned: true })
    view.close()
    if (!json)
      surroundings.err.write(`left run ${run.id}: agents keep running, \`espalier resume ${run.id}\` adopts them\n`)
    if (signal === 'SIGHUP') endByHangUp()
    process.exit(EXIT.interrupted)
  }
  const traced = await startTrace(run, options.since, surroundings)
  const result = await showRun(run, view, { since: options.since, leave, hangUp: 'leave' })
  if (!result.interrupted || result.stuck !== null) notify(noticeOf(run, result), run.settings.notify, surroundings)
  await traced?.[Symbol.asyncDispose]()
  if (quit.signal.aborted && result.interrupted && result.stuck === null)
    return leaveRunning(run, options, surroundings)
  if (run.plan.suite && !json) return await suiteEnd(run, result, options, surroundings)
  if (json) json.finish(result)
  else {
    const { repeat } = options
    const status = { ...run.status(), engine: null } // this one is done with it
    const outside = await resultOutside(run.workspace, status)
    const unchanged = unchangedFacts(status, run.plan)
    const look = { ...lookOf(surroundings), repeat, cwd: surroundings.cwd, unchanged, ...outside }
    printLines(run.plan.search ? await searchSummary(run, look) : summaryLines(status, look), surroundings)
  }
  if (run.plan.search) await writeResult(run.workspace, run.id, surroundings, options.json)
  const trouble = troubleOf(result, options.repeat)
  if (trouble === null) return run.plan.suite ? await exitOfSuite(run, result) : exitStatusOf(result)
  surroundings.err.write(`${trouble}\n`)
  return result.interrupted && result.stuck === null ? EXIT.interrupted : EXIT.failed
}

function kindOf({ plan }: Run): RunKind {
  return plan.suite ? 'suite' : plan.search ? 'search' : 'plan'
}

/** `8/9 done, 1 failed (api)` */
function noticeOf(opened: Run, { status, counts, failures, stuck }: RunResult): Notice {
  const { id: run, branch, workspace } = opened
  const names = failures.map(({ task }) => task)
  const failed = counts.failed > 0 ? `, ${counts.failed} failed (${nameList(names, NOTICE_NAMES)})` : ''
  const waits = counts.conflict > 0 ? `, ${counts.conflict} in conflict` : ''
  const text = `${doneText(counts, kindOf(opened))}${failed}${waits}`
  return { run, branch, status: stuck === null ? status : 'stopped', text, cwd: workspace.repo }
}

/** Columns for the names of what failed. */
const NOTICE_NAMES = 60

/** When this command has let go of the run, another process takes it over. */
function leaveRunning({ id, workspace }: Run, { repeat }: Options, { resources, env, err }: Surroundings): ExitStatus {
  resources.use({ [Symbol.asyncDispose]: async () => void continueDetached(workspace, id, env) })
  err.write(`run ${id} continues in the background: \`espalier status --watch${repeat}\` follows it\n`)
  return EXIT.done
}

/** For what prints one object at its end. */
function silentView({ err }: Surroundings): Viewer {
  return { event: () => {}, note: (text) => void err.write(`${text}\n`), close: () => {} }
}

type Leave = Parameters<typeof handleInterruption>[0]['leave']

type Showing = { since: number; leave: Leave; hangUp: 'leave' | 'interrupt' }

export async function showRun(run: Run, view: Viewer, { since, leave, hangUp }: Showing): Promise<RunResult> {
  using _ = handleInterruption({
    run,
    running: () => run.summary().counts.running,
    note: (text) => view.note(text),
    leave,
    hangUp: isInTerminal() ? hangUp : 'ignore',
    signals: process,
  })
  try {
    const [, result] = await Promise.all([showEvents(run.events(), view, since), run.execute()])
    return result
  } finally {
    view.close()
  }
}

function humanView(run: Run, { since, quit }: Options & { quit: AbortController }, surroundings: Surroundings): Viewer {
  const kind = kindOf(run)
  const retries = run.settings.retries
  const facts: RunFacts = { run: run.id, kind, retries, tasks: new Map(), view: (task) => run.task(task) }
  addTasks(facts, run.plan.tasks)
  const estimates = estimatesOf(run.plan)
  const heldBack = heldBackIn(run.plan)
  const isLarge = facts.tasks.size > CHAIN_TASKS
  const shared = { out: surroundings.out, palette: surroundings.outPalette, facts, startedAt: since, now: Date.now }
  const searchLines = () => (run.tree ? treeLines(run.tree) : [])
  if (!surroundings.live) return withPauses(plainView({ ...shared, searchLines }), () => run.summary().paused)
  return new LiveView({
    ...shared,
    summary: () => run.summary(),
    heldBack: () =>
      isLarge ? NONE_HELD_BACK : heldBack(() => run.status().tasks, run.summary().holds ?? [], Date.now()),
    left: (measured) => {
      const { pending, ready } = run.summary().counts
      return isLarge ? roughWorkLeft(pending + ready, measured) : workLeft(run.status().tasks, estimates, measured)
    },
    estimateMs: (task) => estimates.get(task) ?? null,
    searchLines,
    // Who writes what comes at the end of a suite or a search is this process.
    keys:
      surroundings.input && !run.plan.suite && !run.plan.search
        ? {
            input: surroundings.input,
            tasks: () => run.status().tasks,
            openLog: (task) => new LogScreen(run.workspace, { run: run.id, task }, shared),
            cancel: (task) => run.cancel(task),
            quit: () => {
              quit.abort()
              run.abandon()
            },
          }
        : undefined,
  })
}

/** Says each pause of an agent, with its end, when it has begun. */
function withPauses(view: Viewer, paused: () => PauseView[] | undefined): Viewer {
  const said = new Map<string, number>()
  return {
    event: async (event, news) => {
      await view.event(event, news)
      if (!news || event.type !== 'attempt.finished') return
      for (const pause of paused() ?? []) {
        const line = (said.get(pause.agent) ?? 0) < pause.until ? pauseBegan(pause, event.at) : null
        said.set(pause.agent, pause.until)
        if (line !== null) view.note(line)
      }
    },
    note: (text) => view.note(text),
    close: () => view.close(),
  }
}

type Trouble = Pick<RunResult, 'run' | 'branch' | 'stuck' | 'takenOver' | 'publishTrouble'>

/** What a run could not do although its tasks could, with what to type next; null for none. `repeat`: flags to repeat in commands. */
export function troubleOf({ run, branch, stuck, takenOver, publishTrouble }: Trouble, repeat: string): string | null {
  const said = []
  if (stuck !== null) {
    const why = takenOver ? 'stopped' : 'was stopped by an environment error'
    const next = takenOver
      ? `\`espalier status --watch ${run}${repeat}\` follows it`
      : `fix that, then \`espalier resume ${run}${repeat}\``
    said.push(`run ${run} ${why}: ${stuck}`, next)
  }
  if (publishTrouble !== null) said.push(`${branch} could not be moved: ${publishTrouble}`)
  return said.length === 0 ? null : said.join('\n')
}
