// The files in the folder of a ccpm epic: its tasks, the epic itself, and what was found out about tasks before.
import { basename } from 'node:path'
import type { Result } from '../../../problem.ts'
import type { SourceFile } from '../format.ts'
import { type FrontMatter, frontMatterText, readFrontMatter } from '../markdown/front-matter.ts'
import { readMarkdown, textOf } from '../markdown/parse-lines.ts'
import { prose } from '../task-prompt/compose-prompt.ts'

export function isTask({ text }: SourceFile): boolean {
  const front = frontMatterText(text)
  return front !== null && /^name[ \t]*:/m.test(front) && /^(?:depends_on|parallel|conflicts_with)[ \t]*:/m.test(front)
}

/** Its own program takes every file that is called by a number: beside tasks, one that says less is a task as well. */
export function isNumbered({ file, text }: SourceFile): boolean {
  return /^\d+\.md$/i.test(basename(file)) && /^(?:name|title|status)[ \t]*:/m.test(frontMatterText(text) ?? '')
}

export function isEpic({ file, text }: SourceFile): boolean {
  return /(?:^|[/\\])epic\.md$/i.test(file) && /^name[ \t]*:/m.test(frontMatterText(text) ?? '')
}

/** `001-analysis.md` is about `001`: its own program writes there how the work could be divided. Null for other files. */
export function analysedBy({ file, text }: SourceFile): string | null {
  return /\S/.test(text) ? (/^(.+)-analysis\.md$/i.exec(basename(file))?.[1] ?? null) : null
}

/** ccpm takes a name as it stands in its line (`Fix #12`): only one in quotes, or over several lines, is YAML. */
export function readTaskFields(file: SourceFile): Result<FrontMatter> {
  const read = readFrontMatter(file.text, file.file)
  if (read.ok && YAML_NAME.test(file.text)) return read
  const quoted = file.text.replace(NAME, (_, name: string) => `name: ${JSON.stringify(name.trim())}`)
  const again = readFrontMatter(quoted, file.file)
  return again.ok ? again : read
}

const NAME = /^name:(.+)$/m
const YAML_NAME = /^name:[ \t]*(?:["'|>]|$)/m

export function nameIn({ name, title }: FrontMatter['fields']): string {
  return prose(name) || prose(title)
}

export function bodyOf(file: SourceFile): string {
  const front = readTaskFields(file)
  return textOf(readMarkdown(file.text).lines.slice(front.ok ? front.value.lines : 0))
}
