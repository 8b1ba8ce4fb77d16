// What a run has cost, told at its end.
import { spendingOf } from '../facts/spending.ts'
import type { RunView } from '../status.ts'
import { costText, tokensText, usageText } from '../text/usage-text.ts'
import { hanging } from '../text/width.ts'
import type { Palette } from './palette.ts'

/** Empty where no agent told of any. */
export function spendingLines({ tasks }: Pick<RunView, 'tasks'>, width: number, palette: Palette): string[] {
  const { run, tasks: spent } = spendingOf(tasks)
  if (spent.length === 0) return []
  const { usage, notLanded } = run
  const lost = notLanded.costUsd > 0 ? costText(notLanded) : notLanded.outputTokens > 0 ? tokensText(notLanded) : ''
  const apart = lost ? `; of it ${lost} for work that did not land` : ''
  const [first, ...rest] = hanging(`spent: ${usageText(usage)}${apart}`, width, 2)
  return [`${palette.dim('$')} ${first}`, ...rest]
}
