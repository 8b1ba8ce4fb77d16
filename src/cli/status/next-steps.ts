// What to type next, at the end of a run and of `espalier status`.

import { lastKeptRef } from '../../facts/kept-refs.ts'
import { retryable } from '../../facts/retryable.ts'
import { isToldInLog } from '../../failure.ts'
import type { RunView, TaskStatus } from '../../status.ts'
import { safeLine } from '../../text/safe.ts'
import { shellWord } from '../../text/shell-word.ts'
import { money } from '../../text/usage-text.ts'
import { fit, padEnd, widest } from '../../text/width.ts'
import { short } from '../live/event-line.ts'
import { glyph } from '../terminal/glyph.ts'
import type { Palette } from '../terminal/palette.ts'
import type { ResultOutside } from './result-outside.ts'

export type NextStep = { command: string; what: string }

/** Tasks whose log or kept work is named; the report names more of it. */
const TASKS_NAMED = 3
/** Of the commands, behind the word `next`. */
const INDENT = 6

export type AfterRun = Pick<ResultOutside, 'landedOn' | 'landedSince'> & {
  interrupted: boolean
  /** Flags to repeat, with a leading space. */
  repeat: string
}

/** After a run: go on, look at what failed, take what landed. */
export function stepsAfterRun(view: RunView, { interrupted, repeat, landedOn, landedSince }: AfterRun): NextStep[] {
  const steps: NextStep[] = []
  if (interrupted) steps.push({ command: `espalier resume ${view.run}${repeat}`, what: 'goes on where this stopped' })
  steps.push(...stepsAfterBudget(view, repeat), ...stepsAfterConflict(view, repeat))
  steps.push(...stepsAfterFailure(view, repeat, landedSince))
  steps.push(...workSteps(view, 'passed', (task) => `the work of ${task}, which does not land`, repeat))
  if (view.unwritten?.files.length && !view.resumable) {
    const what = 'writes how the tasks stand into the plan file, once that is put right'
    steps.push({ command: `espalier resume ${view.run}${repeat}`, what })
  }
  if (view.counts.landed > 0 && !interrupted && landedOn === null) {
    const what = `brings ${view.branch} (${short(view.head)}) onto your branch`
    steps.push({ command: `espalier land ${view.run}${repeat}`, what })
  }
  steps.push({ command: `espalier report ${view.run} --html${repeat}`, what: 'all of it, as a page' })
  return steps
}

/** What to do where a run waits for a larger budget; empty where it does not. */
export function stepsAfterBudget(view: Pick<RunView, 'run' | 'status' | 'budgets'>, repeat: string): NextStep[] {
  if (view.status !== 'waiting') return []
  const { holding = [] } = view.budgets ?? {}
  const run = holding.find(({ scope }) => scope === 'run')
  const others = holding.filter(({ scope }) => scope !== 'run')
  const steps: NextStep[] = []
  if (run) {
    const what = `goes on with more money: N dollars in all, ${money(run.spentUsd)} are spent`
    steps.push({ command: `espalier resume ${view.run} --budget-usd N${repeat}`, what })
  }
  if (others.length > 0) {
    const named = others.slice(0, TASKS_NAMED).map(({ scope, name }) => `${scope} ${name}`)
    const what = `goes on once the plan has a larger \`budgetUsd\` for ${named.join(', ')}`
    steps.push({ command: `espalier resume ${view.run} --replan${repeat}`, what })
  }
  return steps
}

/** What a person has to do before it can go on; empty where nothing waits for them. */
export function stepsAfterConflict(view: RunView, repeat: string): NextStep[] {
  const waiting = view.tasks.filter(({ status }) => status === 'conflict')
  return waiting.slice(0, TASKS_NAMED).map(({ id }) => {
    return { command: `espalier resolve ${id} --run ${view.run}${repeat}`, what: `its conflict, in a worktree for you` }
  })
}

/** What to look at where something failed, and how to try again what did not succeed; empty where nothing is left so. */
export function stepsAfterFailure(
  view: RunView,
  repeat: string,
  landedSince: ResultOutside['landedSince'],
): NextStep[] {
  const failed = view.tasks.filter(({ status, failure }) => status === 'failed' && isToldInLog(failure))
  return [
    ...failed
      .slice(0, TASKS_NAMED)
      .map(({ id }) => ({ command: `espalier logs ${id} --run ${view.run}${repeat}`, what: `what ${id} said` })),
    ...workSteps(view, 'failed', (task) => `the work ${task} left`, repeat),
    ...(retryable(view, landedSince).length > 0 && !view.resumable
      ? [{ command: `espalier retry --run ${view.run}${repeat}`, what: 'tries again what did not succeed' }]
      : []),
  ]
}

/** In place of the step that would bring it there. */
export function landedOnLines({ head }: RunView, landedOn: string | null, palette: Palette): string[] {
  return landedOn === null ? [] : [`${glyph('landed', palette)} landed on ${safeLine(landedOn)} (${short(head)})`]
}

export function nextLines(steps: readonly NextStep[], width: number, palette: Palette): string[] {
  const commandWidth = widest(steps.map(({ command }) => command))
  const explanationAt = INDENT + commandWidth + 2
  const beside = explanationAt + widest(steps.map(({ what }) => what)) <= width
  return steps.flatMap(({ command, what }, index) => {
    const label = palette.dim(padEnd(index === 0 ? 'next' : '', INDENT))
    if (beside) return `${label}${padEnd(command, commandWidth)}  ${palette.dim(what)}`
    // Commands are never cut: somebody copies them.
    return [`${label}${command}`, `${' '.repeat(INDENT + 2)}${palette.dim(fit(what, width - INDENT - 2))}`]
  })
}

function workSteps(view: RunView, wanted: TaskStatus, what: (task: string) => string, repeat: string): NextStep[] {
  const git = repeat.includes(' --repo ') ? `git -C ${shellWord(view.repo)}` : 'git'
  const steps = view.tasks.flatMap((task) => {
    const kept = task.status === wanted ? lastKeptRef(view.run, task) : null
    return kept ? [{ command: `${git} show ${kept.ref}`, what: what(task.id) }] : []
  })
  return steps.slice(0, TASKS_NAMED)
}
