// One `*-PLAN.md` of GSD: fields at its top, and `<task>` elements among others.
import { ok, type Problem, problem, type Result, refuse } from '../../../problem.ts'
import type { Entry, SourceFile } from '../format.ts'
import { type Element, type Elements, elementsIn } from '../markdown/elements.ts'
import { type FrontMatter, frontMatterText, readFrontMatter } from '../markdown/front-matter.ts'
import { type Markdown, type MarkdownLine, markdownTrouble, readMarkdown, textOf } from '../markdown/lines.ts'
import { stateOf } from '../state/status-words.ts'

export type GsdDocument = {
  file: SourceFile
  front: FrontMatter
  /** It is read as it was meant, not as YAML has it. */
  hasPatterns: boolean
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
  state: Entry['state']
  status: string
  type: string
  fields: Map<string, { lines: MarkdownLine[]; text: string }>
  text: string
  line: number
  column: number
}

export function readGsd(file: SourceFile): Result<GsdDocument> {
  const trouble = markdownTrouble(file.text, file.file)
  if (trouble) return refuse(trouble)
  const front = readFields(file)
  if (!front.ok) return front
  const markdown = readMarkdown(file.text, beginsPart)
  const body = markdown.lines.slice(front.value.front.lines)
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
    ...front.value,
    sections,
    steps: read,
    rest: words.filter(Boolean).join('\n\n'),
    body: textOf(body),
    markdown,
  })
}

/** Plans have patterns in double quotes (`"\.claude.*"`), which YAML refuses: there every backslash stands for itself. */
function readFields({ text, file }: SourceFile): Result<{ front: FrontMatter; hasPatterns: boolean }> {
  const read = readFrontMatter(text, file)
  if (read.ok) return ok({ front: read.value, hasPatterns: false })
  const end = text.indexOf('\n') + 1 + (frontMatterText(text)?.length ?? 0)
  const again = readFrontMatter(text.slice(0, end).replace(QUOTED, asPattern) + text.slice(end), file)
  return again.ok ? ok({ front: again.value, hasPatterns: true }) : read
}

const QUOTED = /"(?:[^"\\\n]|\\.)*\\?(?:"|$)/gm
const NO_ESCAPE = /\\[^\\0abtnvfre "/N_LPxuU\t\r\n]/

function asPattern(quoted: string): string {
  const bare = quoted.replaceAll('\\\\', '')
  return NO_ESCAPE.test(bare) ? quoted.replace(/\\(["\\])?/g, (all, next) => (next ? all : '\\\\')) : quoted
}

/** A code block without an end is not to take in the end of the element it stands in, nor another task. */
function beginsPart(line: string): boolean {
  return /^\s{0,40}<(?:\/?tasks?|\/(?:action|verify|done|context|objective))[\s>]/i.test(line)
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
  const status = attributes.status ?? ''
  const state = stateOf(status, { done: [] })
  const isCheckpoint = /^(?:checkpoint|manual|human)/i.test(type)
  return { name, isCheckpoint, state, status, type, fields, text: textOf(lines), line, column }
}
