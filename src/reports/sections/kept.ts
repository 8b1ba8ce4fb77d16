// Work that did not land, and how to look at it.
import { keptRef, keptWork } from '../../facts/kept-refs.ts'
import type { RunView } from '../../status.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { Cell, ReportSection } from './section.ts'

const MAX_KEPT = 100

export function keptSection(view: RunView): ReportSection {
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
