// What is below the table of `status`, and the end of a run in a few lines: status, what landed, what did not and why, and what to type next.

import type { TaskPaths } from '../../facts/changes.ts'
import { nextSteps } from '../../facts/next-steps.ts'
import { stateOf } from '../../facts/run-in-words.ts'
import { nameList } from '../../text/name-list.ts'
import { hanging } from '../../text/width.ts'
import type { RunView } from '../../view.ts'
import type { Look } from '../surroundings.ts'
import { glyph, signedLine } from '../terminal/glyph.ts'
import { claimLines, flaggedLines, planFileLines, unchangedLines, unplacedLines } from './attention-lines.ts'
import { droppedLines, failureLines, landedSinceLines, waitingLines } from './failure-lines.ts'
import { budgetLines, spendingLines } from './money-lines.ts'
import { landedOnLines, nextLines } from './next-steps.ts'
import type { ResultOutside } from './result-outside.ts'
import { headerLines } from './run-header.ts'
import { landingBranch } from './status-table.ts'
import { flakeLine, pauseLines } from './waiting-lines.ts'

type Options = ResultOutside &
  Look & {
    unchanged: readonly TaskPaths[]
    cwd: string
    repeat: string
  }

export function summaryLines(view: RunView, options: Options): string[] {
  const flakes = flakeLine(view.queue)
  const header = {
    ...view,
    branch: landingBranch(view),
    state: stateOf(view),
    elapsedMs: view.durationMs,
    leftMs: null,
  }
  const login = view.paused?.filter(({ needsLogin }) => needsLogin)
  return [
    '',
    ...headerLines(header, options),
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
