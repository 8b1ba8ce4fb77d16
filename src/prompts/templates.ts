// The current templates: those that Espalier ships, each replaced by the project's own if there is one.
import { readFileSync } from 'node:fs'
import { sourceFile } from '../files/package-file.ts'
import { ok, type Problem, problem, type Result } from '../problem.ts'
import { fill, mentions, parseTemplate, type Template } from './template.ts'
import { NEEDED, TEMPLATE_NAMES, type TemplateName, type TemplateValues, VARIABLES } from './variables.ts'

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
      const template = parseTemplate(text, file, VARIABLES[name])
      if (!template.ok) problems.push(...template.problems)
      else if (isWithout(template.value, NEEDED[name])) problems.push(problem(incomplete(NEEDED[name]), { file }))
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

function isWithout(template: Template, needed: string | undefined): boolean {
  return needed !== undefined && !mentions(template, needed)
}

function incomplete(needed: string | undefined): string {
  return `it does not put in \`{{${needed}}}\`, so an agent would not know its task: add it`
}
