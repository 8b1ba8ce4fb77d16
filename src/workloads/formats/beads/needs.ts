// What an issue of beads waits for.
import type { Path } from '../../place.ts'
import type { JsonReader } from '../json/json-reader.ts'
import type { Groups } from './epics.ts'
import type { Issue } from './issues.ts'

/** Its own and those of what it is part of; an epic stands for the open issues below it. */
export function needsOf(reader: JsonReader, issue: Issue, groups: Groups): Map<string, Path> {
  const above = new Set<Issue>()
  for (let at: Issue | null = issue; at && reader.takeEdges(1, issue.item.path); at = at.parent) above.add(at)
  const needs = new Map<string, Path>()
  const waits = [...above].flatMap((one) => one.needs.map((need) => ({ ...need, whole: one === issue ? null : one })))
  for (const { issue: need, path, whole } of waits) {
    // An issue is not held up by the epic it is part of; and an epic that waits for its own issues says only that they are its.
    if (need.state !== 'open' || (above.has(need) && groups.has(need))) continue
    if (whole && isBelow(reader, need, whole)) continue
    const all = groups.get(need) ?? [need]
    if (all.length > 1 && !reader.takeEdges(all.length, path)) break
    for (const one of all) if (!needs.has(one.task)) needs.set(one.task, path)
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
