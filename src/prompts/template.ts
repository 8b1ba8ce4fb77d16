// The language of prompt templates: `{{name}}` puts a text in, `{{#name}}…{{/name}}` is kept where that text is not
// empty, `{{^name}}…{{/name}}` where it is, `{{! … }}` is a remark, and `\{{` stands for two braces. A line that holds
// nothing but the begin or end of a section, or a remark, is left out as a whole.
//
// Properties
// - By hand, because template libraries escape for HTML, load partials or run code, and do not report unknown names by line.
// - Nothing in a template is run, and what is put in is never looked at again: braces in a task's words stay braces.
// - A template that was read can be filled: names that do not exist and sections without an end are found before.
import { LIMITS } from '../config.ts'
import { ok, type Problem, problem, type Result } from '../problem.ts'
import { suggestion } from '../text/nearest.ts'

export type Template = readonly Part[]

type Part = string | { put: string } | Section
type Section = { about: string; isUnless: boolean; parts: Part[]; line: number }

export function parseTemplate(text: string, file: string, variables: readonly string[]): Result<Template> {
  const problems: Problem[] = []
  const top: Section = { about: '', isUnless: false, parts: [], line: 1 }
  const open = [top]
  let end = 0
  for (const mark of marksOf(text)) {
    const line = text.slice(0, mark.start).split('\n').length
    const within = open.at(-1) ?? top
    within.parts.push(text.slice(end, mark.start), ...(mark.kind === 'braces' ? ['{{'] : []))
    end = mark.end
    const wrong = faultOf(mark, within, variables)
    if (wrong !== null) problems.push(problem(wrong, { file, line }))
    if (mark.kind === 'put') within.parts.push({ put: mark.name })
    else if (mark.kind === 'end' && wrong === null) open.pop()
    else if (mark.kind === 'if' || mark.kind === 'unless') {
      const section = { about: mark.name, isUnless: mark.kind === 'unless', parts: [], line }
      within.parts.push(section)
      open.push(section)
    }
  }
  top.parts.push(text.slice(end))
  for (const { about, line } of open.slice(1))
    problems.push(problem(`the section \`${about}\` has no end: close it with \`{{/${about}}}\``, { file, line }))
  return problems.length > 0 ? { ok: false, problems: problems.slice(0, LIMITS.problems) } : ok(top.parts)
}

export function fill(template: Template, values: Readonly<Record<string, string>>): string {
  const pieces = template.map((part) => {
    if (typeof part === 'string') return part
    if ('put' in part) return values[part.put] ?? ''
    const isEmpty = (values[part.about] ?? '') === ''
    return isEmpty === part.isUnless ? fill(part.parts, values) : ''
  })
  return pieces.join('')
}

export function mentions(template: Template, name: string): boolean {
  return template.some(
    (part) => typeof part === 'object' && ('put' in part ? part.put === name : mentions(part.parts, name)),
  )
}

type Mark = {
  kind: 'put' | 'if' | 'unless' | 'end' | 'remark' | 'braces' | 'unclosed'
  name: string
  start: number
  end: number
}

const KINDS: Record<string, Mark['kind']> = { '#': 'if', '^': 'unless', '/': 'end', '!': 'remark' }

function* marksOf(text: string): Generator<Mark> {
  for (let from = 0; ; ) {
    const start = text.indexOf('{{', from)
    if (start < 0) return
    const close = text.indexOf('}}', start)
    from = close < 0 ? text.length : close + 2
    if (text[start - 1] === '\\') {
      from = start + 2
      yield { kind: 'braces', name: '', start: start - 1, end: from }
    } else if (close < 0) yield { kind: 'unclosed', name: '', start, end: from }
    else {
      const said = text.slice(start + 2, close)
      const kind = KINDS[said[0] ?? ''] ?? 'put'
      const name = (kind === 'put' ? said : said.slice(1)).trim()
      yield { kind, name, ...(kind === 'put' ? { start, end: from } : wholeLine(text, start, from)) }
    }
  }
}

/** The line with its end, if there is nothing else on it. */
function wholeLine(text: string, start: number, end: number): { start: number; end: number } {
  const first = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end) + 1 || text.length
  const isAlone = start >= first && text.slice(first, start).trim() === '' && text.slice(end, next).trim() === ''
  return isAlone ? { start: first, end: next } : { start, end }
}

function faultOf({ kind, name }: Mark, within: Section, variables: readonly string[]): string | null {
  if (kind === 'braces' || kind === 'remark') return null
  if (kind === 'unclosed') return '`{{` has no `}}`: close it, or write `\\{{` where two braces are meant'
  if (kind === 'end') {
    if (within.about === name) return null
    const instead =
      within.about === '' ? 'no section is open' : `the section \`${within.about}\` of line ${within.line} is`
    return `\`{{/${name}}}\` closes a section that is not open: ${instead}`
  }
  if (variables.includes(name)) return null
  return `there is no variable \`${name}\` (where two braces are meant, write \`\\{{\`), only ${variables.join(', ')}${suggestion(name, variables)}`
}
