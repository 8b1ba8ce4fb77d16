// How the issues of a beads file hang together: who is part of what, and who waits for whom.
import { shown } from '../../document/field.ts'
import type { Path } from '../../document/place.ts'
import type { JsonReader } from '../json/json-reader.ts'
import { type Item, isNothing, type Named } from '../json/values.ts'
import { waitsOf } from '../order/dependency-fields.ts'
import type { Need } from '../plan-draft.ts'
import { prose } from '../task-prompt/compose-prompt.ts'
import type { Issue } from './issues.ts'

export function connect(reader: JsonReader, issues: readonly Issue[]): void {
  const bySource = new Map(issues.map((issue) => [issue.source, issue]))
  const isKnown = ({ text }: Named): boolean => bySource.has(text)
  for (const issue of issues) {
    for (const link of reader.items(issue.item, 'dependencies')) follow(reader, issue, link, bySource)
    // In `dependencies` this format has something else than names.
    for (const { text, path } of waitsOf(reader, issue.item, { own: [], not: ['dependencies'], isKnown }))
      wait(reader, issue, bySource.get(text), { text, path })
  }
  cutCircles(issues)
  for (const issue of issues) issue.parent?.children.push(issue)
}

export const WAITS = ['blocks', 'waits-for', 'conditional-blocks']

/** Those that say nothing about when an issue is done, and need no word. */
const OTHERS = new Set(['related', 'relates-to', 'discovered-from'])

export function linkType({ type }: Record<string, unknown>): string {
  const written = prose(type)
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
  return written || 'blocks'
}

function follow(reader: JsonReader, issue: Issue, link: Item, bySource: ReadonlyMap<string, Issue>): void {
  const type = linkType(link.value)
  const path = [...link.path, 'depends_on_id']
  if (isNothing(link.value.depends_on_id)) {
    reader.warn(
      link.path,
      `a dependency of issue ${shown(issue.source)} has no \`depends_on_id\`: it waits for nothing by that`,
    )
    return
  }
  const target = reader.id(link, 'dependency', 'depends_on_id')
  if (target === null) return
  const other = bySource.get(target)
  if (WAITS.includes(type)) wait(reader, issue, other, { text: target, path })
  else if (type === 'parent-child') {
    // The first epic; else the first of the others.
    const isBetter = issue.parent === null || (!issue.parent.isEpic && other?.isEpic)
    if (other && other !== issue && isBetter) issue.parent = other
  } else if (!OTHERS.has(type)) {
    const waits = WAITS.map((one) => `\`${one}\``).join(', ')
    reader.ignore([...link.path, 'type'], `dependencies of the type ${shown(type)}: only ${waits} make an issue wait`)
  }
}

function wait(reader: JsonReader, issue: Issue, other: Issue | undefined, { text, path }: Named): void {
  const missing = `there is no issue ${shown(text)} to wait for`
  if (other) issue.needs.push({ issue: other, path })
  else if (issue.state === 'open') reader.error(path, missing)
  else reader.warn(path, `${missing}; nothing waits for it here`)
}

/** What is part of itself, by way of others, is part of nothing: nobody could say which of them is the whole. */
function cutCircles(issues: readonly Issue[]): void {
  const seen = new Set<Issue>()
  for (const issue of issues) {
    const way: Issue[] = []
    let current: Issue | null = issue
    for (; current && !seen.has(current); current = current.parent) {
      seen.add(current)
      way.push(current)
    }
    const start = current ? way.indexOf(current) : -1
    if (start !== -1) for (const one of way.slice(start)) one.parent = null
  }
}

export function withParents(reader: JsonReader, issue: Issue): Issue[] {
  const way: Issue[] = []
  for (let current: Issue | null = issue; current && reader.takeEdges(1, issue.item.path); current = current.parent)
    way.push(current)
  return way
}

/** The open epics with open issues below them, at any depth, and those of these issues that are run. */
export type Groups = Map<Issue, Issue[]>

export function groupsOf(reader: JsonReader, issues: readonly Issue[]): Groups {
  const groups: Groups = new Map()
  for (const issue of issues) {
    if (issue.state !== 'open') continue
    const [, ...above] = withParents(reader, issue)
    for (const epic of above) {
      if (epic.state !== 'open' || !epic.isEpic) continue
      const below = groups.get(epic) ?? []
      below.push(issue)
      groups.set(epic, below)
    }
  }
  const isRun = (issue: Issue): boolean => !groups.has(issue)
  return new Map([...groups].map(([epic, below]) => [epic, below.filter(isRun)]))
}

/** Its own and those of what it is part of; an epic stands for the open issues below it. */
export function needsOf(reader: JsonReader, issue: Issue, groups: Groups): Need<Path>[] {
  const above = withParents(reader, issue)
  const needs: Need<Path>[] = []
  for (const whole of above)
    for (const { issue: need, path } of whole.needs) {
      // An issue is not held up by the epic it is part of; and an epic that waits for its own issues says only that they are its.
      if (need.state !== 'open' || (above.includes(need) && groups.has(need))) continue
      if (whole !== issue && withParents(reader, need).includes(whole)) continue
      const all = groups.get(need) ?? [need]
      if (all.length > 1 && !reader.takeEdges(all.length, path)) return needs
      for (const one of all) needs.push({ id: one.task, place: path })
    }
  return needs
}
