// What the agent of one task of a GSD plan is told, and how its work is checked.
import {
  type AcceptedChecks,
  checkOf,
  commandsIn,
  type FoundChecks,
  joined,
  NO_VERIFICATION,
} from '../checks/commands-in.ts'
import { elementsIn } from '../markdown/elements.ts'
import { textOf } from '../markdown/parse-lines.ts'
import { contextPart, type PromptSection, promptText, prose } from '../task-prompt/compose-prompt.ts'
import { headingOf } from '../task-prompt/other-fields.ts'
import type { GsdStep } from './document.ts'
import type { GsdPlan } from './plans.ts'

/** `asked`: the checkpoints between the task before and this one; `behind`: those after which nothing comes. */
type Surrounding = { asked: readonly GsdStep[]; behind: readonly GsdStep[]; isLast: boolean; about: string }

export function gsdPrompt(plan: GsdPlan, step: GsdStep, { asked, behind, isLast, about }: Surrounding): string {
  const { fields, name } = step
  const action = fields.get('action')?.text ?? ''
  // One that is written in some other way is told as it is.
  const isPlain = action === '' && fields.size < 2
  const lead = isPlain ? step.text.trim() || `Plan ${plan.label}` : [name, action].filter(Boolean).join('\n\n')
  const others = [...fields].filter(([field]) => !isPlain && field !== 'name' && field !== 'action')
  return promptText(lead, [
    ...others.map(
      ([field, { text }]): PromptSection => [field === 'done' ? 'Done when' : headingOf(field), withoutTags(text)],
    ),
    ...asked.map(({ text }): PromptSection => ['Before this, the plan asks a person (nobody was asked)', text]),
    ...behind.map(({ text }): PromptSection => ['After this, the plan asks a person (nobody is asked)', text]),
    ...(isLast ? closing(plan) : []),
    ['What this is part of', about],
  ])
}

/** What is automated is a command, which the agent reads as one. */
function withoutTags(text: string): string {
  return text.replace(/<\/?automated>/gi, '').trim()
}

function closing({ sections }: GsdPlan): PromptSection[] {
  return [
    ['Verification of the whole plan', sections.get('verification') ?? ''],
    ['Success criteria of the whole plan', sections.get('success_criteria') ?? ''],
    ['When the plan is done', sections.get('output') ?? ''],
  ]
}

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

/** What `<automated>` holds is meant as a command; beside it, the lines that are one. */
export function gsdVerify({ fields }: GsdStep, accepted: AcceptedChecks): FoundChecks {
  const field = fields.get('verify')
  if (!field) return NO_VERIFICATION
  const { found, rest } = elementsIn(field.lines)
  const own: FoundChecks = { verify: [], words: [], notRun: [] }
  for (const { name, lines, line } of found) {
    const text = textOf(lines).trim()
    if (text === '') continue
    const check = name === 'automated' && !text.startsWith('MISSING') ? checkOf(text, accepted) : null
    if (check === null) own.words.push(line)
    else if ('run' in check) own.verify.push(check.run)
    else own.notRun.push({ ...check.notRun, line })
  }
  return joined([own, commandsIn(rest, accepted)])
}
