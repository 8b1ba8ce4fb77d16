// One `*-PLAN.md` of GSD: fields at its top, and `<task>` elements among others.
import { ok, type Problem, problem, type Result, refuse } from '../../../problem.ts'
import type { SourceFile } from '../format.ts'
import { type Markdown, type MarkdownLine, markdownTrouble, readMarkdown, textOf } from './lines.ts'
import { type FrontMatter, readFrontMatter } from './plan.ts'

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

// Elements such as `<task type="auto">…</task>` in Markdown. No XML: the text between tags is anything, so only tags outside
// of code blocks count, at the start of a line or right behind another element.

type Element = {
  name: string
  attributes: Record<string, string>
  /** What is between the tags, as lines; the first and the last one only as far as they belong to it. */
  lines: MarkdownLine[]
  line: number
  column: number
}

type Elements = {
  found: Element[]
  rest: MarkdownLine[]
  open: { name: string; line: number; column: number } | null
}

/** Those at the top; what is inside one is found by asking again with its lines. */
export function elementsIn(lines: readonly MarkdownLine[]): Elements {
  const found: Element[] = []
  const rest: MarkdownLine[] = []
  let index = 0
  let column = 0
  while (index < lines.length) {
    const line = lines[index] as MarkdownLine
    const tag = line.isQuoted ? null : openTag(line.text, column)
    if (!tag) {
      rest.push(column === 0 ? line : { ...line, text: line.text.slice(column), start: (line.start ?? 0) + column })
      index++
      column = 0
      continue
    }
    const place = { name: tag.name, line: line.number, column: (line.start ?? 0) + tag.column + 1 }
    const end = closingTag(lines, tag.name, { index, column: tag.end })
    if (!end) return { found, rest, open: place }
    const inside = between(lines, { index, column: tag.end }, end)
    found.push({ ...place, attributes: tag.attributes, lines: inside })
    index = end.index
    column = end.column + tag.name.length + 3
  }
  return { found, rest, open: null }
}

type Position = { index: number; column: number }

function openTag(text: string, from: number) {
  const rest = text.slice(from)
  const match = /^\s*<([a-z][a-z0-9_-]{0,40})((?:\s[^<>]{0,500})?)>/i.exec(rest)
  if (!match) return null
  const [whole, name = '', written = ''] = match
  const start = whole.indexOf('<')
  return { name: name.toLowerCase(), attributes: attributesOf(written), column: from + start, end: from + whole.length }
}

function attributesOf(written: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [, name = '', double, single] of written.matchAll(/([a-z][\w:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi))
    attributes[name.toLowerCase()] = double ?? single ?? ''
  return attributes
}

function closingTag(lines: readonly MarkdownLine[], name: string, from: Position): Position | null {
  // Not by changing the case of the line: some letters become two by that, and the columns behind them others.
  const tag = new RegExp(`</${name}>`, 'gi')
  for (let index = from.index; index < lines.length; index++) {
    const line = lines[index] as MarkdownLine
    if (line.isQuoted) continue
    tag.lastIndex = index === from.index ? from.column : 0
    const found = tag.exec(line.text)
    if (found) return { index, column: found.index }
  }
  return null
}

function between(lines: readonly MarkdownLine[], from: Position, to: Position): MarkdownLine[] {
  return lines.slice(from.index, to.index + 1).map((line, i): MarkdownLine => {
    const first = i === 0 ? from.column : 0
    const last = i === to.index - from.index ? to.column : line.text.length
    if (first === 0 && last === line.text.length) return line
    return { ...line, text: line.text.slice(first, last), start: (line.start ?? 0) + first }
  })
}
