// The `status:` line at the top of a ccpm task file. It has no word for what failed: that is open still.
import { basename, extname } from 'node:path'
import { ok } from '../../../problem.ts'
import { WAIT_FIELDS } from '../json/reader.ts'
import { type FrontMatter, frontMatterText } from '../markdown/front-matter.ts'
import { readMarkdown, textOf } from '../markdown/parse-lines.ts'
import { stateOf } from '../read-status/status-words.ts'
import { type StatusFile, type TextEdit, taskContent } from '../status/status-file.ts'
import { prose } from '../task-prompt/compose-prompt.ts'
import { readTaskFields } from './epic-files.ts'
import { STATES } from './tasks.ts'

export const ccpmStatus: StatusFile = {
  words: { open: 'open', begun: 'in-progress', done: 'closed', failed: 'open', blocked: 'blocked' },
  read: (task) => {
    const { text, file } = task
    const front = readTaskFields(task)
    if (!front.ok) return front
    const written = prose(front.value.fields.status)
    const source = basename(file, extname(file))
    const record = { source, parent: null, status: written, state: stateOf(written, STATES) }
    return ok([{ ...record, says: () => wordsOf(text, front.value), edits: (word) => statusEdits(text, word) }])
  },
}

function wordsOf(text: string, { fields, lines }: FrontMatter): string {
  const body = textOf(readMarkdown(text).lines.slice(lines))
  const order = [...WAIT_FIELDS, 'parallel', 'conflicts_with'].map((name) => fields[name])
  return taskContent([fields.name ?? fields.title, ...order, body])
}

const LINE = /^status[ \t]*:[ \t]*("[^"\n]*"|'[^'\n]*'|[^\s#][^\n]*?|)(?=[ \t]*(?:[ \t]#[^\n]*)?\r?$)/m

function statusEdits(text: string, word: string): TextEdit[] {
  const yaml = frontMatterText(text) ?? ''
  const start = text.indexOf('\n') + 1
  const found = LINE.exec(yaml)
  if (!found) {
    const ending = text.startsWith('---\r\n') ? '\r\n' : '\n'
    return [{ offset: start, length: 0, text: `status: ${word}${ending}` }]
  }
  const [line, value = ''] = found
  const space = value === '' && !/[ \t]$/.test(line) ? ' ' : ''
  const offset = start + found.index + line.length - value.length
  return [{ offset, length: value.length, text: `${space}${word}` }]
}
