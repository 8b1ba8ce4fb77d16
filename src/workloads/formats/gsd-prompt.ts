// What the agent of one task of a GSD plan is told, and how its work is checked.
import { commandsIn, type Verification } from './commands-in.ts'
import { elementsIn } from './elements.ts'
import type { GsdStep } from './gsd-document.ts'
import type { GsdPlan } from './gsd-plans.ts'
import { isBlank, textOf } from './markdown.ts'
import { contextPart } from './prompt-context.ts'
import { promptText, prose, type Section } from './prompt-text.ts'
import { runnableCommand } from './trailing-remark.ts'

/** `checkpoints`: those between the task before and this one; `behind`: those after which nothing comes; `about`: what it is part of. */
export function gsdPrompt(
  plan: GsdPlan,
  step: GsdStep,
  {
    checkpoints,
    behind,
    isLast,
    about,
  }: { checkpoints: readonly GsdStep[]; behind: readonly GsdStep[]; isLast: boolean; about: string },
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
      : others.map(([field, { text }]): Section => [HEADINGS.get(field) ?? headingOf(field), withoutTags(text)])),
    ...checkpoints.map(({ text }): Section => ['Before this, the plan asks a person (nobody was asked)', text]),
    ...behind.map(({ text }): Section => ['After this, the plan asks a person (nobody is asked)', text]),
    ...(isLast ? closing(plan) : []),
    ['What this is part of', about],
  ])
}

const HEADINGS = new Map([
  ['files', 'Files'],
  ['verify', 'Verify'],
  ['done', 'Done when'],
])

/** `read_first` is `Read first`. */
function headingOf(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').trim()
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** What is automated is a command, which the agent reads as one. */
function withoutTags(text: string): string {
  return text.replace(/<\/?automated>/gi, '').trim()
}

function closing({ sections }: GsdPlan): Section[] {
  return [
    ['Verification of the whole plan', sections.get('verification') ?? ''],
    ['Success criteria of the whole plan', sections.get('success_criteria') ?? ''],
    ['When the plan is done', sections.get('output') ?? ''],
  ]
}

/** What all tasks of a plan are part of. */
export function gsdSurroundings({ label, sections, front, rest, steps, body }: GsdPlan): string[] {
  const mustHaves = prose(front.fields.must_haves)
  // Of a plan without tasks all of the text is the prompt already.
  const isToldAlready = steps[0]?.text === body
  const others = [...sections].filter(([name]) => !isToldAlready && !TOLD.has(name))
  return [
    `Plan ${label}`,
    sections.get('objective') ?? '',
    sections.get('context') ?? '',
    mustHaves && `What must be true in the end:\n${mustHaves}`,
    ...others.filter(([, text]) => text !== '').map(([name, text]) => `${headingOf(name)}:\n${contextPart(text)}`),
    isToldAlready ? '' : rest,
  ]
}

/** Those with a place of their own, and one that is for the commands of GSD. */
const TOLD = new Set(['objective', 'context', 'verification', 'success_criteria', 'output', 'execution_context'])

/** Commands of `<automated>` as they are; elsewhere the lines that are commands. */
export function gsdVerify({ fields }: GsdStep): Verification {
  const field = fields.get('verify')
  if (!field) return { verify: [], words: 0 }
  const automated = elementsIn(field.lines).found.filter(({ name }) => name === 'automated')
  if (automated.length === 0) return commandsIn(field.lines, (line) => !isBlank(line))
  const written = automated.map(({ lines }) => textOf(lines).trim()).filter((command) => command !== '')
  const verify = written.filter((command) => !command.startsWith('MISSING')).map(runnableCommand)
  return { verify, words: written.length - verify.length }
}
