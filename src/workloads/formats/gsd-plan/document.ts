// One `*-PLAN.md` of GSD: fields at its top, and `<task>` elements among others.
import { ok, type Problem, problem, type Result, refuse } from '../../../problem.ts'
import type { SourceFile } from '../format.ts'
import { type Element, type Elements, elementsIn } from '../markdown/elements.ts'
import { type FrontMatter, readFrontMatter } from '../markdown/front-matter.ts'
import { type Markdown, type MarkdownLine, markdownTrouble, readMarkdown, textOf } from '../markdown/parse-lines.ts'

export type GsdDocument = {
  file: SourceFile
  front: FrontMatter
  sections: Map<string, string>
  steps: GsdStep[]
  rest: string
  body: string
  markdown: Markdown
}

/** `<task>`; one whose type begins with `checkpoint`, `manual` or `human` is for a person. */
export type GsdStep = {
  name: string
  isCheckpoint: boolean
  type: string
  fields: Map<string, { lines: MarkdownLine[]; text: string }>
  text: string
  line: number
  column: number
}

export function readGsd(file: SourceFile): Result<GsdDocument> {
  const trouble = markdownTrouble(file.text, file.file)
  if (trouble) return refuse(trouble)
  const front = readFrontMatter(file.text, file.file)
  if (!front.ok) return front
  const markdown = readMarkdown(file.text)
  const body = markdown.lines.slice(front.value.lines)
  const problems: Problem[] = []
  const elements = (lines: readonly MarkdownLine[]): Elements => {
    const all = elementsIn(lines)
    if (all.open) problems.push(unended(all.open, file))
    return all
  }
  const { found, rest } = elements(body)
  const sections = new Map<string, string>()
  const steps: Element[] = []
  const words = [textOf(rest)]
  const add = (element: Element): void => {
    if (element.name === 'task') steps.push(element)
    else sections.set(element.name, [sections.get(element.name), textOf(element.lines)].filter(Boolean).join('\n\n'))
  }
  for (const element of found) {
    const inside = element.name === 'tasks' ? elements(element.lines) : null
    for (const one of inside?.found ?? [element]) add(one)
    if (inside) words.push(textOf(inside.rest))
  }
  const read = steps.map((step) => toStep(step, elements(step.lines).found))
  const [first] = problems
  if (first) return refuse(first)
  return ok({
    file,
    front: front.value,
    sections,
    steps: read,
    rest: words.filter(Boolean).join('\n\n'),
    body: textOf(body),
    markdown,
  })
}

function unended(
  { name, line, column }: { name: string; line: number; column: number },
  { file }: SourceFile,
): Problem {
  return problem(`\`<${name}>\` begins here and has no \`</${name}>\``, { file, line, column })
}

function toStep({ attributes, lines, line, column }: Element, inside: readonly Element[]): GsdStep {
  const fields = new Map(
    inside.map((element) => [element.name, { lines: element.lines, text: textOf(element.lines).trim() }]),
  )
  const type = attributes.type ?? ''
  const name = (fields.get('name')?.text ?? '').split('\n', 1)[0]?.trim() ?? ''
  const isCheckpoint = /^(?:checkpoint|manual|human)/i.test(type)
  return { name, isCheckpoint, type, fields, text: textOf(lines), line, column }
}
