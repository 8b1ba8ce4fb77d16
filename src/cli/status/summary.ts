// What is below the table of `status`, and the end of a run in a few lines: status, what landed, what did not and why, and what to type next.

import { relative } from 'node:path'
import { flaggedFacts, pathsText, type TaskPaths, undeclaredFacts } from '../../facts/changes.ts'
import { isDropped, isInterrupted, nextSteps } from '../../facts/next-steps.ts'
import { waitsOf, waitText } from '../../facts/waits.ts'
import { messageParts } from '../../failure.ts'
import { planFileTexts } from '../../plan-file-note.ts'
import type { TaskStatus } from '../../status.ts'
import { nameList } from '../../text/name-list.ts'
import { safeLine } from '../../text/safe.ts'
import { shellWord } from '../../text/shell-word.ts'
import { because, tellingLines } from '../../text/telling-lines.ts'
import { fit, hanging } from '../../text/width.ts'
import type { RunView, TaskView } from '../../view.ts'
import type { Look } from '../surroundings.ts'
import { glyph, signedLine, signedLines } from '../terminal/glyph.ts'
import { budgetLines, spendingLines } from './money-lines.ts'
import { landedOnLines, nextLines, type ResultOutside } from './next-steps.ts'
import { headerLines } from './run-header.ts'
import { flakeLine, pauseLines } from './waiting-lines.ts'

type Options = ResultOutside &
  Look & {
    unchanged: readonly TaskPaths[]
    cwd: string
    repeat: string
  }

export function summaryLines(view: RunView, options: Options): string[] {
  const flakes = flakeLine(view.queue)
  const login = view.paused?.filter(({ needsLogin }) => needsLogin)
  return [
    '',
    ...headerLines(view, { elapsedMs: view.durationMs, leftMs: null }, options),
    ...landedLines(view, options),
    ...failureLines(view, options),
    ...waitingLines(view, options),
    ...droppedLines(view, options.landedSince, options),
    ...attentionLines(view, options),
    ...(flakes ? [signedLine('landing', flakes, options)] : []),
    ...pauseLines(login, 0).map((line) => `! ${line}`),
    ...spendingLines(view, options),
    ...budgetLines(view.budgets, options),
    ...landedOnLines(view, options.landedOn, options.palette),
    '',
    ...stepLines(view, options),
  ]
}

/** Below the table of `status`, which has the rest. */
export function detailLines(view: RunView, options: Options): string[] {
  const details = [
    ...failureLines(view, options),
    ...attentionLines(view, options),
    ...spendingLines(view, options),
    ...(view.engine ? [] : landedOnLines(view, options.landedOn, options.palette)),
  ]
  return [details, stepLines(view, options)].flatMap((lines) => (lines.length > 0 ? ['', ...lines] : []))
}

/** What a person should look at. */
function attentionLines(view: RunView, options: Options): string[] {
  return [
    ...landedSinceLines(options.landedSince, options),
    ...unchangedLines(options.unchanged, options),
    ...flaggedLines(view, options),
    ...claimLines(view, options),
    ...unplacedLines(view, options),
    ...planFileLines(view, options),
  ]
}

function stepLines(view: RunView, { landedOn, landedSince, repeat, ...look }: Options): string[] {
  return nextLines(nextSteps(view, { landedOn, landedSince, flags: repeat }), look)
}

function landedLines(view: RunView, { width, palette }: Look): string[] {
  return (['landed', 'passed'] as const).flatMap((wanted) => {
    const ids = view.tasks.filter(({ status }) => status === wanted).map(({ id }) => id)
    if (ids.length === 0) return []
    const label = `${wanted}: `
    const names = nameList(ids, NAME_LINES * (width - 2) - label.length)
    const [first, ...rest] = hanging(label + names, width, 2)
    return [`${glyph(wanted, palette)} ${first}`, ...rest]
  })
}

/** Lines for the names of landed and passed tasks; `status` has all of them. */
const NAME_LINES = 2

/** Failures shown one by one; the table of `status` has the others. */
const FAILURES_SHOWN = 20

/** Of the output of a failed command; `logs` has the rest. */
const OUTPUT_LINES = 6

/** Tasks in conflict, then failed tasks. Messages are wrapped between words. */
function failureLines(view: RunView, look: Look): string[] {
  const inConflict = failedTaskLines(withStatus(view, 'conflict'), 'in conflict', look)
  return [...inConflict, ...failedTaskLines(withStatus(view, 'failed'), 'failed', look)]
}

function failedTaskLines(tasks: TaskView[], what: string, look: Look): string[] {
  const { width, palette } = look
  const lines = tasks.slice(0, FAILURES_SHOWN).flatMap((task) => {
    const why = task.failure ? because(task.failure) : (task.outcome ?? 'failed')
    const printed = outputLines(task, width).map((line) => palette.dim(line))
    return [...signedLines(glyph(task.status, palette), `${task.id}: ${why}`, look), ...printed]
  })
  const left = tasks.length - FAILURES_SHOWN
  return left > 0 ? [...lines, palette.dim(`  … and ${left} more ${what}`)] : lines
}

/** What went wrong, in the words of the failed command. Its layout matters, so lines are cut and not wrapped. */
function outputLines({ failure }: TaskView, width: number): string[] {
  return tellingLines(messageParts(failure?.message ?? '').output, OUTPUT_LINES).map((line) =>
    fit(`    ${/^ */.exec(line)?.[0]}${safeLine(line)}`, width),
  )
}

/** Tasks that wait for something that has to be done first, by what that is. An interrupted run waits as a whole. */
function waitingLines(view: RunView, look: Look): string[] {
  if (isInterrupted(view)) return []
  const now = view.finishedAt ?? 0 // no wait of these kinds ends by itself
  const waits = [...waitsOf(view, { now })].filter(([, { kind }]) => kind === 'budget' || kind === 'task')
  const byText = Map.groupBy(waits, ([, wait]) => waitText(wait, now))
  const lines = [...byText].map(([text, tasks]) =>
    signedLine('pending', safeLine(`${tasks.map(([task]) => task).join(', ')} ${verbFor(tasks.length, text)}`), look),
  )
  const left = lines.length - FAILURES_SHOWN
  return left > 0 ? [...lines.slice(0, FAILURES_SHOWN), look.palette.dim(`  … and ${left} more`)] : lines
}

/** `waits for …` of one, `wait for …` of several. */
function verbFor(count: number, text: string): string {
  return count === 1 ? text : text.replace(/^waits /, 'wait ')
}

/** Blocked, cancelled and dropped tasks: a line per cause. `since`: tasks that other runs have landed. */
function droppedLines(view: RunView, since: ReadonlyMap<string, string>, look: Look): string[] {
  const blocked = Map.groupBy(withStatus(view, 'blocked'), (task) => task.failure?.cause ?? '')
  const lines = [...blocked].map(([cause, tasks]) => {
    const by = cause ? ` by ${cause}` : ''
    return signedLine('blocked', `blocked${by}: ${names(tasks)}`, look)
  })
  const cancelled = withStatus(view, 'cancelled').filter((task) => !isDropped(task))
  if (cancelled.length > 0) lines.push(signedLine('cancelled', `cancelled: ${names(cancelled)}`, look))
  const dropped = view.tasks.filter((task) => isDropped(task) && !since.has(task.id))
  for (const [why = '', tasks] of Map.groupBy(dropped, ({ failure }) => failure?.message))
    lines.push(signedLine('cancelled', safeLine(`left out: ${names(tasks)} (${why})`), look))
  return lines
}

/** Tasks that did not succeed here and that other runs have landed: a line per run. */
function landedSinceLines(since: ReadonlyMap<string, string>, look: Look): string[] {
  return [...Map.groupBy(since, ([, run]) => run)].map(([run, tasks]) =>
    signedLine('landed', `landed by run ${run} since: ${tasks.map(([task]) => task).join(', ')}`, look),
  )
}

function withStatus(view: RunView, wanted: TaskStatus): TaskView[] {
  return view.tasks.filter(({ status }) => status === wanted)
}

function names(tasks: TaskView[]): string {
  return tasks.map(({ id }) => id).join(', ')
}

/** Of each kind; the report has all of them. */
const SHOWN = 5

/** Tasks that changed what they had not claimed. `plan show` suggests claims for what the file still has to do. */
export function claimLines(
  view: Pick<RunView, 'tasks' | 'planFile'>,
  look: Look & {
    /** The folder in which the suggested command is typed, and the flags to repeat in it, with a leading space. */
    cwd: string
    repeat: string
    /** Tasks that the plan file calls done. */
    doneInFile: ReadonlySet<string>
  },
): string[] {
  const facts = undeclaredFacts(view)
  const texts = facts.map((fact) => `${fact.task} changed files without a claim: ${pathsText(fact)}`)
  const { planFile } = view
  if (planFile === undefined || facts.every(({ task }) => look.doneInFile.has(task))) return attention(texts, look)
  const fromHere = relative(look.cwd, planFile)
  const file = shellWord(fromHere.length < planFile.length ? fromHere : planFile)
  return attention(texts, look, `\`espalier plan show ${file}${look.repeat}\` suggests claims`)
}

/** Of a search these are the files that score it: the originals were put back before that. */
export function flaggedLines(view: Pick<RunView, 'tasks' | 'kind'>, look: Look): string[] {
  const ideas = new Map(view.tasks.map(({ id, title }) => [id, title.replace(/: measure$/, '')]))
  const texts = flaggedFacts(view).map((fact) =>
    view.kind === 'search'
      ? `${ideas.get(fact.task)} changed what scores it, and was scored with the originals: ${pathsText(fact)}`
      : `${fact.task} changed files that other programs run: ${pathsText(fact)}`,
  )
  return attention(texts, look)
}

/** Tasks that passed without a change although they were to make some. */
function unchangedLines(facts: readonly TaskPaths[], look: Look): string[] {
  const texts = facts.map((fact) => `${fact.task} passed without changes, although it claims ${pathsText(fact)}`)
  return attention(texts, look)
}

export function planFileLines(view: Pick<RunView, 'unwritten'>, look: Look): string[] {
  return attention(planFileTexts(view), look)
}

/** Tasks that could start, and no machine that is there has what they ask for. */
function unplacedLines({ unplaced = [] }: Pick<RunView, 'unplaced'>, look: Look): string[] {
  const texts = unplaced.map(({ labels, uses, tasks }) => {
    const asked = [...labels, ...Object.entries(uses).map(([name, count]) => `${name}=${count}`)].join(', ')
    return `${tasks === 1 ? '1 task waits' : `${tasks} tasks wait`} for a worker${asked === '' ? '' : ` with ${asked}`}`
  })
  return attention(texts, look)
}

function attention(texts: readonly string[], look: Look, advice?: string): string[] {
  const { palette } = look
  const lines = texts.slice(0, SHOWN).flatMap((text) => signedLines(palette.busy('!'), safeLine(text), look))
  const left = texts.length - SHOWN
  const last = [...(left > 0 ? [`… and ${left} more`] : []), ...(lines.length > 0 && advice ? [advice] : [])]
  return last.length === 0 ? lines : [...lines, palette.dim(`  ${last.join('; ')}`)]
}
