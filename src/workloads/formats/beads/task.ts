// The task that an issue of beads becomes: its words and those of what it is part of, and what it waits for.
import { LIMITS } from '../../../config.ts'
import { isMapping } from '../../document/schema-check.ts'
import { priorityOfLevel } from '../json/priority.ts'
import type { JsonReader } from '../json/reader.ts'
import type { Item } from '../json/values.ts'
import { promptText, prose } from '../prompt/text.ts'
import type { Groups } from './epics.ts'
import { type Issue, KNOWN } from './issues.ts'
import { needsOf } from './links.ts'

export function addTask(reader: JsonReader, issue: Issue, { groups, about, epic }: Context): void {
  const { item, parent } = issue
  const title = reader.prose(item, 'title')
  const lead = [title, reader.prose(item, 'description')].filter(Boolean).join('\n\n')
  if (lead === '') reader.error(item.path, 'this issue has neither `title` nor `description`: what is to be done?')
  const minutes = reader.wholeNumber(item, 'estimated_minutes', { min: 0, max: Math.floor(LIMITS.durationMs / 60_000) })
  const level = reader.wholeNumber(item, 'priority', { min: 0, max: LOWEST_LEVEL })
  reader.task(
    {
      id: issue.task,
      title,
      prompt: promptText(lead, [
        ['Design', reader.prose(item, 'design')],
        ['Acceptance criteria', reader.prose(item, 'acceptance_criteria')],
        ['Notes', reader.prose(item, 'notes')],
        ['Comments', commentsOf(item)],
        ...reader.otherSections(item, KNOWN),
        ['What this is part of', parent ? about(parent) : ''],
      ]),
      epic: epic?.task,
      needs: needsOf(reader, issue, groups),
      priority: level === undefined ? undefined : priorityOfLevel(level),
      estimate: minutes ? `${minutes}m` : undefined,
      tags: reader.texts(item, 'labels'),
    },
    item.path,
  )
}

/** Priorities are 0 to 4. */
const LOWEST_LEVEL = 4

type Context = { groups: Groups; about: (whole: Issue) => string; epic: Issue | null }

/** Texts, or `{author, text}`. */
function commentsOf({ value }: Item): string {
  if (!Array.isArray(value.comments)) return prose(value.comments)
  const comments = value.comments.map((one: unknown) => {
    if (!isMapping(one)) return prose(one)
    const who = prose(one.author)
    return [who && `${who}:`, prose(one.text)].filter(Boolean).join(' ')
  })
  return prose(comments)
}

/** Of the words of what surrounds an issue those of so many levels are told; they are cut to a page anyway. */
const LEVELS_TOLD = 10

/** Its own words, and those of what it is part of itself. */
export function wordsOf(reader: JsonReader, whole: Issue): string[] {
  const words: string[] = []
  let at: Issue | null = whole
  for (let level = 0; at && level < LEVELS_TOLD; level++, at = at.parent) {
    const title = reader.prose(at.item, 'title')
    words.push(level === 0 || title === '' ? title : `Which is part of: ${title}`, reader.prose(at.item, 'description'))
  }
  return words
}
