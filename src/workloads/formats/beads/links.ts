// How the issues of a beads file hang together: who is part of what, and who waits for whom.
import { shown } from '../../document/field.ts'
import type { Path } from '../../document/place.ts'
import type { JsonReader } from '../json/reader.ts'
import { type Item, isNothing, type Named } from '../json/values.ts'
import { waitsOf } from '../order/waits-for.ts'
import type { Need } from '../plan-draft.ts'
import { prose } from '../prompt/text.ts'
import type { Groups } from './epics.ts'
import type { Issue } from './issues.ts'

export function connect(reader: JsonReader, issues: readonly Issue[]): void {
  const bySource = new Map(issues.map((issue) => [issue.source, issue]))
  const isKnown = ({ text }: Named): boolean => bySource.has(text)
  for (const issue of issues) {
    for (const link of reader.items(issue.item, 'dependencies')) follow(reader, issue, link, bySource)
    // In `dependencies` this format has something else than names.
    for (const { text, path } of waitsOf(reader, issue.item, { own: [], not: ['dependencies'], isKnown }))
      wait(reader, issue, bySource.get(text), { text, path, type: 'blocks' })
  }
  cutCircles(issues)
  for (const issue of issues) issue.parent?.children.push(issue)
  for (const issue of issues) waitForParts(reader, issue)
}

/** The types by which its own program lets an issue wait. */
export const WAITS = ['blocks', 'waits-for', 'conditional-blocks']

/** Those that say nothing about when an issue is done, and need no word. */
const OTHERS = new Set(['related', 'relates-to', 'discovered-from'])

/** `field`: where the other issue is named. */
export type Link = { type: string; typeField: string; field: string }

/** A file has `depends_on_id` and `type`; what its program prints of an issue has the other one as a whole, with `dependency_type`. */
export function linkOf(value: Record<string, unknown>): Link {
  const typeField = isNothing(value.type) && !isNothing(value.dependency_type) ? 'dependency_type' : 'type'
  const isWhole = isNothing(value.depends_on_id) && typeField === 'dependency_type' && !isNothing(value.id)
  const type = prose(value[typeField])
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
  return { type: type || 'blocks', typeField, field: isWhole ? 'id' : 'depends_on_id' }
}

function follow(reader: JsonReader, issue: Issue, link: Item, bySource: ReadonlyMap<string, Issue>): void {
  const { type, typeField, field } = linkOf(link.value)
  const path = [...link.path, field]
  if (isNothing(link.value[field])) {
    const named = reader.prose(link, 'issue_id')
    const other = named === '' || named === issue.source ? '' : `, only the \`issue_id\` ${shown(named)}`
    const message = `a dependency of issue ${shown(issue.source)} has no \`depends_on_id\`${other}: it waits for nothing by that`
    reader.warn('depends_on_id' in link.value ? path : link.path, message)
    return
  }
  const target = reader.id(link, 'dependency', field)
  if (target === null) return
  const other = bySource.get(target)
  if (WAITS.includes(type)) {
    tellOfType(reader, issue, type, [...link.path, typeField])
    wait(reader, issue, other, { text: target, path, type })
  } else if (type === 'parent-child') {
    if (other && other !== issue) issue.parent = betterParent(issue.parent, other)
  } else if (!OTHERS.has(type)) {
    const waits = WAITS.map((one) => `\`${one}\``).join(', ')
    reader.ignore(
      [...link.path, typeField],
      `dependencies of the type ${shown(type)}: only ${waits} make an issue wait`,
    )
  }
}

function wait(reader: JsonReader, issue: Issue, other: Issue | undefined, named: Named & { type: string }): void {
  const { text, path, type } = named
  const missing = `there is no issue ${shown(text)} to wait for`
  if (other) issue.needs.push({ issue: other, path, type })
  else if (issue.state === 'open') reader.error(path, missing)
  else reader.warn(path, `${missing}; nothing waits for it here`)
}

/** `waits-for` means the parts of an issue, too. Those of an epic stand for it anyway. */
function waitForParts(reader: JsonReader, issue: Issue): void {
  for (const { issue: whole, path, type } of [...issue.needs]) {
    if (type !== 'waits-for' || whole.isEpic || !reader.takeEdges(whole.children.length, path)) continue
    const parts = whole.children.filter((part) => part !== issue)
    issue.needs.push(...parts.map((part) => ({ issue: part, path, type: 'blocks' })))
  }
}

/** It is for what is done only if the other fails; its own program lets it wait until the other is closed, however that was. */
function tellOfType(reader: JsonReader, { source, state }: Issue, type: string, path: Path): void {
  if (type !== 'conditional-blocks' || state !== 'open') return
  const message = `issue ${shown(source)} may be meant only for the case that the other fails: here it is run once that has landed`
  reader.warn(path, message)
}

/** The first epic; else the first of the others. */
function betterParent(known: Issue | null, other: Issue): Issue {
  return known && (known.isEpic || !other.isEpic) ? known : other
}

/** What is part of itself, by way of others, is part of nothing: nobody could say which of them is the whole. */
function cutCircles(issues: readonly Issue[]): void {
  const seen = new Set<Issue>()
  for (const issue of issues) {
    const way: Issue[] = []
    let at: Issue | null = issue
    for (; at && !seen.has(at); at = at.parent) {
      seen.add(at)
      way.push(at)
    }
    const start = at ? way.indexOf(at) : -1
    if (start !== -1) for (const one of way.slice(start)) one.parent = null
  }
}

// What an issue of beads waits for.

/** Its own and those of what it is part of; an epic stands for the open issues below it. */
export function needsOf(reader: JsonReader, issue: Issue, groups: Groups): Need<Path>[] {
  const above = new Set<Issue>()
  for (let at: Issue | null = issue; at && reader.takeEdges(1, issue.item.path); at = at.parent) above.add(at)
  const needs: Need<Path>[] = []
  const waits = [...above].flatMap((one) => one.needs.map((need) => ({ ...need, whole: one === issue ? null : one })))
  for (const { issue: need, path, whole } of waits) {
    // An issue is not held up by the epic it is part of; and an epic that waits for its own issues says only that they are its.
    if (need.state !== 'open' || (above.has(need) && groups.has(need))) continue
    if (whole && isBelow(reader, need, whole)) continue
    const all = groups.get(need) ?? [need]
    if (all.length > 1 && !reader.takeEdges(all.length, path)) break
    for (const one of all) needs.push({ id: one.task, place: path })
  }
  return needs
}

function isBelow(reader: JsonReader, issue: Issue, whole: Issue): boolean {
  for (let at: Issue | null = issue; at; at = at.parent) {
    if (at === whole) return true
    if (!reader.takeEdges(1, issue.item.path)) return false
  }
  return false
}
