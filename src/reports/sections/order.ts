// The sections that all formats have, in their order.
import type { RunView } from '../../status.ts'
import type { Facts } from '../facts/run.ts'
import { claimSections } from './claims.ts'
import { estimateSection } from './estimates.ts'
import { learnedSection } from './learned.ts'
import { modelSection } from './models.ts'
import { budgetSection, spendingSection } from './money.ts'
import { noticedSection } from './notes.ts'
import { decisionSection, planFileSection } from './purpose.ts'
import { queueSection } from './queue.ts'
import type { ReportSection } from './section.ts'

export function nextSection({ next }: Facts): ReportSection {
  return { title: 'What to do next', list: next.map(({ command, what }) => [{ code: command }, `: ${what}`]) }
}

export function sectionsAbove(view: RunView, facts: Facts): (ReportSection | null)[] {
  return [
    noticedSection(facts.noticed),
    ...claimSections(facts),
    planFileSection(view),
    budgetSection(facts.budgets),
    decisionSection(facts.purpose),
    queueSection(facts.queue),
  ]
}

export function sectionsBelow(facts: Facts): (ReportSection | null)[] {
  return [
    spendingSection(facts.spending),
    modelSection(facts.models),
    estimateSection(facts.estimates),
    learnedSection(facts.learned),
  ]
}
