// One `*-PLAN.md` of GSD: fields at its top, and `<task>` elements among others.
import type { SourceFile } from '../format.ts'
import { type Markdown, type MarkdownLine, readMarkdown, textOf } from './lines.ts'
import { type FrontMatter, type MarkdownPlan, readFrontMatter } from './plan.ts'

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

/** Null: there are no fields at its top, which is reported. */
export function readGsd(file: SourceFile, plan: MarkdownPlan): GsdDocument | null {
  const front = readFrontMatter(file)
  if (!front.ok) {
    plan.errors(front.problems)
    return null
  }
  const markdown = readMarkdown(file.text)
  const lines = markdown.lines.slice(front.value.lines)
  const elements = (inside: readonly MarkdownLine[]): Elements => {
    const all = elementsIn(inside)
    const { name, line, column } = all.open ?? { name: null }
    if (name !== null) plan.error(plan.place(file, line, column), `\`<${name}>\` begins here and has no \`</${name}>\``)
    return all
  }
  const { found, rest } = elements(lines)
  const sections = new Map<string, string>()
  const steps: GsdStep[] = []
  const words = [textOf(rest)]
  for (const element of found) {
    const inside = element.name === 'tasks' ? elements(element.lines) : { found: [element], rest: [] }
    words.push(textOf(inside.rest))
    for (const { name, lines, ...one } of inside.found) {
      if (name === 'task') steps.push(toStep({ name, lines, ...one }, elements(lines).found))
      else sections.set(name, [sections.get(name), textOf(lines)].filter(Boolean).join('\n\n'))
    }
  }
  const body = textOf(lines)
  // One without `<task>` is one task as a whole.
  const whole = { name: '', isCheckpoint: false, type: '', fields: new Map(), text: body }
  if (steps.length === 0) steps.push({ ...whole, line: front.value.lines + 1, column: 1 })
  return { file, front: front.value, sections, steps, rest: words.filter(Boolean).join('\n\n'), body, markdown }
}

function toStep({ type, lines, line, column }: Element, inside: readonly Element[]): GsdStep {
  const fields = new Map(
    inside.map((element) => [element.name, { lines: element.lines, text: textOf(element.lines).trim() }]),
  )
  const name = (fields.get('name')?.text ?? '').split('\n', 1)[0]?.trim() ?? ''
  const isCheckpoint = /^(?:checkpoint|manual|human)/i.test(type)
  return { name, isCheckpoint, type, fields, text: textOf(lines), line, column }
}

// Elements such as `<task type="auto">…</task>` in Markdown. No XML: the text between tags is anything, so only tags outside
// of code blocks count, at the start of a line or right behind another element.

type Element = {
  name: string
  type: string
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
    const begin = { index, column: tag.end }
    const end = closingTag(lines, tag.name, begin)
    if (!end) return { found, rest, open: place }
    found.push({ ...place, type: tag.type, lines: between(lines, begin, end) })
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
  const [whole, name = '', attributes = ''] = match
  const [, double, single] = /\stype\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(attributes) ?? []
  const [column, end] = [from + whole.indexOf('<'), from + whole.length]
  return { name: name.toLowerCase(), type: double ?? single ?? '', column, end }
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
