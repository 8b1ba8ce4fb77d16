// Follows an opened run to its end: shows its events, handles Ctrl-C, and prints the result.

import { spawn } from 'node:child_process'
import { mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Run } from '../../engine/run/run.ts'
import type { RunResult } from '../../engine/run/run-result.ts'
import { unchangedFacts } from '../../facts/changes-to-look-at.ts'
import { doneText } from '../../facts/run-in-words.ts'
import { estimatesOf } from '../../facts/time-left.ts'
import { count } from '../../text/figures.ts'
import { nameList } from '../../text/name-list.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitStatus, exitStatusOf } from '../exit-status.ts'
import { resultOutside } from '../status/next-steps.ts'
import { statusTable } from '../status/status-table.ts'
import { summaryLines } from '../status/summary.ts'
import { heldBackIn, NONE_HELD_BACK } from '../status/waiting-lines.ts'
import { lookOf, type Surroundings } from '../surroundings.ts'
import { endByHangUp, isInTerminal } from '../terminal/hang-up.ts'
import { handleInterruption } from '../terminal/interruption.ts'
import { type Notice, notify } from '../terminal/notify.ts'
import { printLines } from '../terminal/print.ts'
import { EventLines } from './event-line.ts'
import { openLiveView } from './live-view.ts'
import { jsonView, plainView, showEvents, type Viewer, withPauses } from './plain-and-json-views.ts'
import { troubleOf } from './run-trouble.ts'
import type { SuiteOutputs } from './suite-end.ts'
import { logScreen } from './task-log-screen.ts'
import { treeLines } from './tree-lines.ts'

type Options = {
  json?: boolean | undefined
  /** Events from before this time were shown by an earlier process. */
  since: number
  /** Shows only the summary, no view of the run. */
  quiet?: boolean | undefined
  suite?: SuiteOutputs
}

/** `repeat`: the flags to repeat in commands that are shown. */
type Here = Surroundings & { repeat: string }

/** Larger runs do not show which tasks wait for holds: checking all tasks would slow the run. */
const MOST_TASKS = 5_000

export async function runToRest(run: Run, options: Options, here: Here): Promise<ExitStatus> {
  const { out, err, repeat } = here
  const quit = new AbortController()
  const json = options.json ? jsonView(run.id, out, err, Date.now) : null
  const isSilent = options.suite?.json || options.quiet
  const view = json ?? (isSilent ? silentView(here) : humanView(run, options.since, quit, here))
  if (run.orphansEnded > 0)
    view.note(`ended ${count(run.orphansEnded, 'process', 'processes')} that earlier attempts had left running`)
  const leave: Leave = (signal) => {
    const { status, counts } = run.summary()
    json?.finish({ run: run.id, status, interrupted: true, branch: run.branch, counts, abandoned: true })
    view.close()
    if (!json) err.write(`left run ${run.id}: agents keep running, \`espalier resume ${run.id}\` adopts them\n`)
    if (signal === 'SIGHUP') endByHangUp()
    process.exit(EXIT.interrupted)
  }
  const traced = await startTrace(run, options.since, here)
  const result = await showRun(run, view, { since: options.since, leave, hangUp: 'leave' })
  const isInterrupted = result.interrupted && result.stuck === null
  if (!isInterrupted) notify(noticeOf(run, result), run.settings.notify, here)
  await traced?.[Symbol.asyncDispose]()
  if (quit.signal.aborted && isInterrupted) return leaveRunning(run, here)
  json?.finish(result)
  const trouble = troubleOf(result, repeat)
  const status = { ...run.status(), engine: null } // this process has released it
  if (run.plan.suite) {
    if (trouble !== null) err.write(`${trouble}\n`)
    const { suiteEnd } = await import('./suite-end.ts')
    return await suiteEnd(run.workspace, { status, result }, json ? null : (options.suite ?? {}), here)
  }
  if (run.plan.search) {
    const { searchEnd } = await import('../search/search-end.ts')
    await searchEnd(run.workspace, status, json !== null, here)
  } else if (!json) {
    const unchanged = unchangedFacts(status, run.plan)
    const outside = await resultOutside(run.workspace, status)
    printLines(summaryLines(status, { ...lookOf(here), repeat, cwd: here.cwd, unchanged, ...outside }), here)
  }
  if (trouble === null) return exitStatusOf(result)
  err.write(`${trouble}\n`)
  return isInterrupted ? EXIT.interrupted : EXIT.failed
}

/** `8/9 done, 1 failed (api)` */
function noticeOf(opened: Run, { status, counts, failures, stuck }: RunResult): Notice {
  const { id: run, branch, workspace } = opened
  const names = failures.map(({ task }) => task)
  const failed = counts.failed > 0 ? `, ${counts.failed} failed (${nameList(names)})` : ''
  const waits = counts.conflict > 0 ? `, ${counts.conflict} in conflict` : ''
  const text = `${doneText(counts, opened.summary().kind)}${failed}${waits}`
  return { run, branch, status: stuck === null ? status : 'stopped', text, cwd: workspace.repo }
}

/** Lets another process take over the run once this command has released it. */
function leaveRunning({ id, workspace }: Run, { repeat, resources, env, err }: Here): ExitStatus {
  resources.use({ [Symbol.asyncDispose]: async () => continueDetached(workspace, id, env) })
  err.write(`run ${id} continues in the background: \`espalier status --watch${repeat}\` follows it\n`)
  return EXIT.done
}

function silentView({ err }: Surroundings): Viewer {
  return { event: () => {}, note: (text) => void err.write(`${text}\n`), close: () => {} }
}

type Leave = Parameters<typeof handleInterruption>[0]['leave']

export async function showRun(
  run: Run,
  view: Viewer,
  { since, leave, hangUp }: { since: number; leave: Leave; hangUp: 'leave' | 'interrupt' },
): Promise<RunResult> {
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

function humanView(run: Run, since: number, quit: AbortController, surroundings: Surroundings): Viewer {
  const { plan, id, settings } = run
  const find = (task: string) => run.find(task)
  const { kind } = run.summary()
  const lines = new EventLines({ run: id, kind, tasks: plan.tasks.length, retries: settings.retries, find })
  const look = { out: surroundings.out, palette: surroundings.outPalette }
  const shared = { ...look, lines, now: Date.now }
  const searchLines = () => (run.tree ? treeLines(run.tree) : [])
  if (!surroundings.live)
    return withPauses(plainView({ ...shared, startedAt: since, searchLines }), () => run.summary().paused)
  const estimates = estimatesOf(plan)
  const heldBackNow = heldBackIn(plan)
  return openLiveView({
    ...shared,
    table: ({ isStopping, ...options }) => {
      const view = run.status()
      const isLarge = view.tasks.length > MOST_TASKS
      const heldBack = isLarge ? NONE_HELD_BACK : heldBackNow(view, options.now)
      const claimWaits = isLarge ? undefined : run.claimWaits()
      const known = { plan, heldBack, claimWaits, estimates: isStopping ? null : estimates }
      return statusTable(view, { ...options, ...known, below: searchLines() })
    },
    // No keys for a suite or a search: this process has to stay to write their results.
    keys:
      surroundings.input && !plan.suite && !plan.search
        ? {
            input: surroundings.input,
            openLog: (task) => logScreen(run.workspace, { run: id, task }, look),
            cancel: (task) => run.cancel(task),
            quit: () => {
              quit.abort()
              run.abandon()
            },
          }
        : undefined,
  })
}

/** Starts `resume` in a process of its own, after this one released the run: it adopts the agents, as after a killed engine. */
function continueDetached({ repo, stateDir, folder }: Workspace, run: string, env: Surroundings['env']): void {
  const log = join(folder.runs, run, '_engine.log')
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 })
  const output = openSync(log, 'a', 0o600)
  const place = ['--repo', repo, ...(stateDir === null ? [] : ['--state-dir', stateDir])]
  const argv = [...process.execArgv, process.argv[1] ?? '', 'resume', run, ...place]
  spawn(process.execPath, argv, { cwd: repo, env, detached: true, stdio: ['ignore', output, output] }).unref()
}

async function startTrace(
  run: Run,
  since: number,
  { env, err, version }: Surroundings,
): Promise<AsyncDisposable | null> {
  if (!isWanted(env)) return null
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL
  if (protocol !== undefined && protocol !== '' && !protocol.startsWith('http/')) {
    err.write(`no trace is sent: OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, and only http/json is spoken here\n`)
    return null
  }
  const { exportTrace } = await import('../../reports/traces/export.ts')
  return exportTrace(run, { since, version })
}

function isWanted({
  OTEL_EXPORTER_OTLP_ENDPOINT,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
  OTEL_TRACES_EXPORTER,
  OTEL_SDK_DISABLED,
}: Surroundings['env']): boolean {
  if (OTEL_SDK_DISABLED?.toLowerCase() === 'true' || OTEL_TRACES_EXPORTER === 'none') return false
  return Boolean(OTEL_EXPORTER_OTLP_ENDPOINT || OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
}
