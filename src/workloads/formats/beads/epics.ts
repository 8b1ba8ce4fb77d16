// The epics of a beads file that hold open issues. Such an epic is done when they are, and is not run itself.

import type { JsonReader } from '../json/reader.ts'
import type { Issue } from './issues.ts'

export type Groups = Map<Issue, Issue[]>

/** The open epics with open issues below them, at any depth, and those of these issues that are run. */
export function groupsOf(reader: JsonReader, issues: Issue[]): Groups {
  const groups: Groups = new Map()
  for (const issue of issues) {
    if (issue.state !== 'open' || !issue.isEpic) continue
    const below = openBelow(reader, issue)
    if (below.length > 0) groups.set(issue, below)
  }
  for (const [epic, below] of groups)
    groups.set(
      epic,
      below.filter((one) => !groups.has(one)),
    )
  return groups
}

function openBelow(reader: JsonReader, epic: Issue): Issue[] {
  const found: Issue[] = []
  const open = [...epic.children]
  for (let next = open.pop(); next; next = open.pop()) {
    // Thousands of epics inside each other would be gone through thousands of times.
    if (!reader.takeEdges(1, epic.item.path)) break
    for (const child of next.children) open.push(child)
    if (next.state === 'open') found.push(next)
  }
  return found.reverse()
}

/** The nearest epic that it is part of, also by way of other issues. */
export function epicAbove(reader: JsonReader, { item, parent }: Issue, groups: Groups): Issue | null {
  let at = parent
  while (at && !groups.has(at) && reader.takeEdges(1, item.path)) at = at.parent
  return at && groups.has(at) ? at : null
}
