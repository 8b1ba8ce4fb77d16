// The sections that all formats have, in their order, with those that are short: what to do next, claims, work that did not land,
// decisions of the plan, and statuses that are not in the plan file.

import { keptRef, keptWork } from '../../facts/kept-refs.ts'
import { count } from '../../text/figures.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { PathList, RunView } from '../../view.ts'
import type { Facts, PurposeFacts } from '../facts/run.ts'
import { estimateSection, learnedSection, modelSection } from './learned.ts'
import { budgetSection, spendingSection } from './money.ts'
import { noticedSection } from './notes.ts'
import { queueSection } from './queue.ts'
import { type Cell, listed, type ReportSection } from './section.ts'

/** Sections that come before those of the tasks. */
export function sectionsAbove(view: RunView, { next, noticed, flagged, claims, budgets, purpose, queue }: Facts) {
  return [
    { title: 'What to do next', list: next.map(({ command, what }) => [{ code: command }, `: ${what}`]) },
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

function claimSection(title: string, facts: readonly (PathList & { task: string })[]): ReportSection {
  const list = facts.slice(0, MAX_ENTRIES).map((fact) => {
    const shown = fact.paths.slice(0, MAX_PATHS)
    // Folders stand for what is in them, so the list alone does not say how many there are.
    const total = fact.count > shown.length ? [` (${count(fact.count, 'path')})`] : []
    return [{ tasks: [fact.task] }, ': ', ...listed(shown.map((code) => ({ code }))), ...total]
  })
  return { title, list, leftOut: facts.length - list.length }
}

const MAX_KEPT = 100

function keptSection(view: RunView): ReportSection {
  const kept = view.kind === 'search' ? [] : view.tasks.flatMap(keptWork)
  const rows = kept
    .slice(0, MAX_KEPT)
    .map((work): Cell[] => [
      { code: work.task },
      String(work.attempt),
      { code: `git show ${shellWord(keptRef(view.run, work))}` },
    ])
  return {
    title: 'Work that did not land',
    head: ['Task', 'Attempt', 'Show it'],
    rows,
    leftOut: kept.length - rows.length,
  }
}

const MAX_TASKS = 20

function decisionSection({ decisions }: PurposeFacts): ReportSection {
  const list = decisions.slice(0, MAX_ENTRIES).map(({ decision, epics, tasks }) => {
    const behind = [...epics.map((epic) => `epic ${epic}`), ...(tasks.length > 0 ? [{ tasks, most: MAX_TASKS }] : [])]
    return [decision, ': ', ...listed(behind)]
  })
  return { title: 'Decisions', list, leftOut: decisions.length - list.length }
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
  const head = ['File', 'Task', 'Why']
  return {
    title: 'Not in the plan file',
    words,
    head,
    rows: rows.slice(0, MAX_ENTRIES),
    leftOut: rows.length - MAX_ENTRIES,
  }
}
