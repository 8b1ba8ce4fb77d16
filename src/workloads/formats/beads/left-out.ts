// Says which issues of a beads file are left out, and leaves out what cannot be done without them.
import { shown } from '../../field.ts'
import { tellOfSkipped } from '../common/foreign-state.ts'
import type { JsonReader } from '../json/json-reader.ts'
import { type Issue, PINNED } from './issues.ts'

/** What waits for something that is left out waits without end, and so does what is part of it: left out, and named. */
export function leaveOut(reader: JsonReader, issues: Issue[]): void {
  const held = issues.flatMap((issue) => {
    const { needs, parent, item } = issue
    const waits = needs.map(({ issue: by, path }) => ({ by, issue, path, why: 'waits for' }))
    // What only holds its parts together, such as a molecule, is no work itself; its parts are.
    if (!parent || parent.leftOut?.field === 'issue_type') return waits
    return [...waits, { by: parent, issue, path: item.path, why: 'is part of' }]
  })
  const behind = Map.groupBy(held, ({ by }) => by)
  const said = issues.filter(({ leftOut }) => leftOut !== null)
  tellOfSkipped(reader, 'issue', said)
  const lost = said.filter(({ leftOut }) => leftOut?.is !== shown(PINNED))
  for (let at = 0; at < lost.length; at++) {
    const gone = lost[at] as Issue
    for (const { issue, path, why } of behind.get(gone) ?? []) {
      if (issue.state !== 'open') continue
      issue.state = 'skipped'
      lost.push(issue)
      const state = gone.leftOut?.is ?? 'left out'
      reader.warn(path, `issue ${shown(issue.source)} is left out: it ${why} ${shown(gone.source)}, which is ${state}`)
    }
  }
}
