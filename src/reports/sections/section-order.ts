// Lists the sections of all formats in their order, and has the short ones: what to do next, claims, work that did not land,
// decisions of the plan, statuses that are not in the plan file, spending and budgets.
import { shareOf } from '../../budget.ts'
import type { TaskPaths } from '../../facts/changes-to-look-at.ts'
import { type KeptWork, keptRef, keptWork } from '../../facts/kept-refs.ts'
import { count } from '../../text/figures.ts'
import { shellWord } from '../../text/shell-word.ts'
import { costText, money, tokensText } from '../../text/usage-text.ts'
import type { Budget, RunView, Spending, SpentOn } from '../../view.ts'
import type { Facts } from '../facts/run.ts'
import { queueSection } from './landing-queue.ts'
import { estimateSection, learnedSection, modelSection } from './learned.ts'
import { noticedSection } from './notes.ts'
import { type Cell, list, listed, type ReportSection, table } from './section.ts'

/** Sections above the tasks. */
export function sectionsAbove(view: RunView, { next, noticed, flagged, claims, budgets, purpose, queue }: Facts) {
  return [
    { title: 'What to do next', ...list(next, ({ command, what }) => [{ code: command }, `: ${what}`]) },
    noticedSection(noticed),
    claimSection('Changed files that other programs run or obey', flagged),
    claimSection('Changed without a claim', claims.undeclared),
    planFileSection(view),
    budgetSection(budgets),
    decisionSection(purpose),
    queueSection(queue),
  ]
}

export function sectionsBelow(view: RunView, { spending, models, estimates, learned }: Facts) {
  return [
    spendingSection(spending),
    modelSection(models),
    estimateSection(estimates),
    learnedSection(learned),
    keptSection(view),
  ]
}

const MAX_ENTRIES = 50
const MAX_PATHS = 10

function claimSection(title: string, facts: readonly TaskPaths[]): ReportSection {
  const entry = ({ task, paths, count: all }: TaskPaths) => {
    const shown = paths.slice(0, MAX_PATHS)
    // A folder stands for all files in it, so the list alone does not tell their number.
    const total = all > shown.length ? [` (${count(all, 'path')})`] : []
    return [{ tasks: [task] }, ': ', ...listed(shown.map((code) => ({ code }))), ...total]
  }
  return { title, ...list(facts, entry, MAX_ENTRIES) }
}

const MAX_KEPT = 100

function keptSection(view: RunView): ReportSection {
  const kept = view.kind === 'search' ? [] : view.tasks.flatMap(keptWork)
  const cells = (work: KeptWork): Cell[] => {
    const command = `git show ${shellWord(keptRef(view.run, work))}`
    return [{ code: work.task }, String(work.attempt), { code: command }]
  }
  return { title: 'Work that did not land', ...table(['Task', 'Attempt', 'Show it'], kept, cells, MAX_KEPT) }
}

const MAX_TASKS = 20

function decisionSection({ decisions }: Facts['purpose']): ReportSection {
  const entry = ({ decision, epics, tasks }: (typeof decisions)[number]) => {
    const behind = [...epics.map((epic) => `epic ${epic}`), ...(tasks.length > 0 ? [{ tasks, most: MAX_TASKS }] : [])]
    return [decision, ': ', ...listed(behind)]
  }
  return { title: 'Decisions', ...list(decisions, entry, MAX_ENTRIES) }
}

function planFileSection({ unwritten, run }: Pick<RunView, 'unwritten' | 'run'>): ReportSection | null {
  if (!unwritten) return null
  const { files, conflicts } = unwritten
  const rows = [
    ...files.map(({ file, why }) => [file, '', `could not be written: ${why}`]),
    ...conflicts.map(({ file, task, message }) => [file, task, message]),
  ]
  const words = [
    ...(files.length > 0 ? [`Once the file is writable, espalier resume ${run} writes the task statuses.`] : []),
    ...(conflicts.length > 0 ? ['What people changed for a task during the run is left as they have it.'] : []),
  ]
  return { title: 'Not in the plan file', words, ...table(['File', 'Task', 'Why'], rows, (row) => row, MAX_ENTRIES) }
}

function spendingSection({ run, agents, models, epics, tasks }: Spending): ReportSection | null {
  if (tasks.length === 0) return null
  const groups = Object.entries({
    run: [{ name: 'total', ...run }],
    agent: agents,
    model: models,
    epic: epics,
    task: tasks,
  })
  return {
    title: 'Spending',
    words: ['Not landed: the part of it that went into work that did not land.'],
    head: ['', 'Name', 'Cost', 'Tokens', 'Not landed'],
    rows: groups.flatMap(([kind, spent]) => spent.toSorted(dearestFirst).slice(0, MAX_SPENT).map(spentCells(kind))),
    leftOut: groups.reduce((sum, [, spent]) => sum + Math.max(0, spent.length - MAX_SPENT), 0),
  }
}

function spentCells(kind: string) {
  return ({ name, usage, notLanded }: SpentOn, index: number): string[] => [
    index === 0 ? kind : '',
    name,
    costText(usage),
    tokensText(usage),
    notLanded.costUsd > 0 ? costText(notLanded) : notLanded.outputTokens > 0 ? tokensText(notLanded) : '',
  ]
}

function dearestFirst({ usage: a }: SpentOn, { usage: b }: SpentOn): number {
  return b.costUsd - a.costUsd || b.outputTokens - a.outputTokens
}

/** Rows per kind (agent, model, epic, task). */
const MAX_SPENT = 10

/** Sorts by scope, then by the used share. */
function budgetSection(budgets: readonly Budget[]): ReportSection {
  const used = ({ spentUsd, budgetUsd }: Budget) => spentUsd / budgetUsd
  const order = budgets.toSorted((a, b) => SCOPES[a.scope] - SCOPES[b.scope] || used(b) - used(a))
  const cells = (budget: Budget) => {
    const { scope, name, budgetUsd, spentUsd, unknown } = budget
    const share = shareOf(budget)
    const word = share === null ? '' : share < 100 ? ' (nearly used up)' : ' (used up)'
    const spent = `${money(spentUsd)}${unknown ? ' + unknown' : ''}`
    const percent = `${Math.floor(used(budget) * 100)}%${word}`
    return [scope, scope === 'run' ? 'total' : name, money(budgetUsd), spent, percent]
  }
  return { title: 'Budgets', ...table(['', 'Name', 'Budget', 'Spent', 'Used'], order, cells, MAX_BUDGETS) }
}

const MAX_BUDGETS = 30
const SCOPES = { run: 0, epic: 1, task: 2 }
