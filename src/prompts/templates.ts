// The current templates: those that Espalier ships, each replaced by the project's own if there is one.
import { readFileSync } from 'node:fs'
import { sourceFile } from '../files/package-file.ts'
import { ok, type Problem, problem, type Result } from '../problem.ts'
import { fill, mentions, parseTemplate, type Template } from './template.ts'

const ABOUT = ['id', 'title', 'epic', 'objective'] as const

/**
 * The variables of each template; docs/prompts.md explains them. All values are texts. Lists are bounded and formatted; a
 * yes is `yes`, a no is empty.
 */
const VARIABLES = {
  task: [
    ...(['prompt', ...ABOUT, 'planFiles'] as const),
    ...(['conflict', 'earlier', 'interrupted', 'needs', 'expertise', 'guidelines'] as const),
    ...(['claims', 'write', 'read', 'enforced', 'extended', 'protected', 'unprotected'] as const),
    ...(['lands', 'mcp', 'checks', 'verify', 'landing', 'completion'] as const),
  ],
  need: ['id', 'title', 'summary', 'files', 'commit'],
  guidelines: [...ABOUT, 'lands'],
  conflict: ['files'],
  earlier: ['attempt', 'reason', 'message', 'merged', 'paths', 'output', 'conflict'],
  /** For an attempt that continues the work of one that was interrupted. */
  interrupted: ['remembers', 'attempt', 'reason', 'message', 'work', 'output'],
  /** The prompt for an agent that ended before it was done. */
  'follow-up': ['first', 'incomplete', 'message', 'completion'],
  plan: ['objective', 'files', 'file', 'check'],
} as const

export type TemplateName = keyof typeof VARIABLES

export const TEMPLATE_NAMES = Object.keys(VARIABLES) as TemplateName[]

export type TemplateValues<Name extends TemplateName> = Record<(typeof VARIABLES)[Name][number], string>

/** The variable that a template has to have: without it an agent would not know its task. */
const NEEDED: Partial<Record<TemplateName, string>> = {
  task: 'prompt',
  'follow-up': 'first',
  plan: 'objective',
}

export type OwnTemplates = Partial<Record<TemplateName, { file: string; text: string }>>

export class Templates {
  readonly #parsed: Readonly<Record<TemplateName, Template>>
  readonly own: OwnTemplates

  private constructor(parsed: Record<TemplateName, Template>, own: OwnTemplates) {
    this.#parsed = parsed
    this.own = own
  }

  static of(own: OwnTemplates = {}): Result<Templates> {
    const problems: Problem[] = []
    const parsed: Partial<Record<TemplateName, Template>> = {}
    for (const name of TEMPLATE_NAMES) {
      const { file, text } = own[name] ?? shipped(name)
      const needed = NEEDED[name]
      const template = parseTemplate(text, file, VARIABLES[name])
      if (!template.ok) problems.push(...template.problems)
      else if (needed !== undefined && !mentions(template.value, needed))
        problems.push(
          problem(`it does not put in \`{{${needed}}}\`, so an agent would not know its task: add it`, { file }),
        )
      else parsed[name] = template.value
    }
    if (problems.length > 0) return { ok: false, problems }
    return ok(new Templates(parsed as Record<TemplateName, Template>, own))
  }

  fill<Name extends TemplateName>(name: Name, values: TemplateValues<Name>): string {
    return fill(this.#parsed[name], values).trimEnd()
  }
}

function shipped(name: TemplateName): { file: string; text: string } {
  const file = sourceFile(`prompts/templates/${name}.md`)
  return { file, text: readFileSync(file, 'utf8') }
}
