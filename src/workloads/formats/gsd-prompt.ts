// What the agent of one task of a GSD plan is told, and how its work is checked.
import { commandsIn } from './commands-in.ts'
import { elementsIn } from './elements.ts'
import type { GsdStep } from './gsd-document.ts'
import type { GsdPlan } from './gsd-plans.ts'
import { isBlank, textOf } from './markdown.ts'
import { promptText, prose, type Section } from './prompt-text.ts'

/** `checkpoints`: those between the task before and this one; `about`: what it is part of. */
export function gsdPrompt(
  plan: GsdPlan,
  step: GsdStep,
  { checkpoints, isLast, about }: { checkpoints: readonly GsdStep[]; isLast: boolean; about: string },
): string {
  const { fields, name } = step
  const action = fields.get('action')?.text ?? ''
  // One that is written in some other way is told as it is.
  const lead =
    action === '' && fields.size < 2
      ? step.text.trim() || `Plan ${plan.label}`
      : [name, action].filter(Boolean).join('\n\n')
  const others = [...fields].filter(([field]) => field !== 'name' && field !== 'action')
  return promptText(lead, [
    ...(action === '' && fields.size < 2
      ? []
      : others.map(([field, { text }]): Section => [HEADINGS.get(field) ?? field, text])),
    ...checkpoints.map(({ text }): Section => ['Before this, the plan asks a person (nobody was asked)', text]),
    ...(isLast ? closing(plan) : []),
    ['What this is part of', about],
  ])
}

const HEADINGS = new Map([
  ['files', 'Files'],
  ['verify', 'Verify'],
  ['done', 'Done when'],
])

function closing({ sections }: GsdPlan): Section[] {
  return [
    ['Verification of the whole plan', sections.get('verification') ?? ''],
    ['Success criteria of the whole plan', sections.get('success_criteria') ?? ''],
    ['When the plan is done', sections.get('output') ?? ''],
  ]
}

/** What all tasks of a plan are part of. */
export function gsdSurroundings({ label, sections, front }: GsdPlan): string[] {
  const mustHaves = prose(front.fields.must_haves)
  return [
    `Plan ${label}`,
    sections.get('objective') ?? '',
    sections.get('context') ?? '',
    mustHaves && `What must be true in the end:\n${mustHaves}`,
  ]
}

/** Commands of `<automated>` as they are; elsewhere the lines that are commands. */
export function gsdVerify({ fields }: GsdStep): string[] {
  const verify = fields.get('verify')
  if (!verify) return []
  const automated = elementsIn(verify.lines).found.filter(({ name }) => name === 'automated')
  if (automated.length === 0) return commandsIn(verify.lines, (line) => !isBlank(line)).verify
  return automated
    .map(({ lines }) => textOf(lines).trim())
    .filter((command) => command !== '' && !command.startsWith('MISSING'))
}
