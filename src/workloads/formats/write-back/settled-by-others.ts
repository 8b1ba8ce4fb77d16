// Tasks that somebody has set to done or blocked before the run began them. Pure. The run does them all the same: what needs
// them would not find them on its branch.

import type { SourceFile } from '../format.ts'
import { plainStatus } from '../read-status/status-words.ts'
import type { OriginFile } from './plan-file-at-start.ts'
import type { StatusFile, StatusRecord } from './status-writer.ts'

export type Overtaken = { task: string; source: string; status: string }

/** `waiting`: those that have not begun. None of a file that cannot be read: somebody may be saving it. */
export function overtaken(
  format: StatusFile,
  file: SourceFile,
  waiting: OriginFile['entries'],
  part: string | null,
): Overtaken[] {
  const read = format.read(file, part)
  const now = new Map((read.ok ? read.value : []).map((record) => [record.source, record]))
  return waiting.flatMap(({ task, source, status: before, left = [] }) => {
    const record = now.get(source)
    if (!record) return []
    // As it was when the run began, or as the run itself has left it.
    const isSame = [before, ...left].map(plainStatus).includes(plainStatus(record.status))
    // When the run began, all of them were open.
    if (record.state === 'open' && (isSame || !isBlocked(record, format))) return []
    // A part may be at rest because the whole is.
    return [{ task, source, status: isSame ? (now.get(record.parent ?? '')?.status ?? before) : record.status }]
  })
}

/** Where a format has no word for it, that word means something else. */
function isBlocked({ status }: StatusRecord, { words }: StatusFile): boolean {
  return words.blocked !== words.open && plainStatus(status) === plainStatus(words.blocked)
}
