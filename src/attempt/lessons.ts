// What an attempt was taught, and what it teaches: kept in its folder until it is over.
import { readFile, writeFile } from 'node:fs/promises'
import { LIMITS } from '../config.ts'
import type { Failure } from '../failure.ts'
import type { Snapshot } from '../git/slots/snapshot.ts'
import type { Lesson } from '../lesson.ts'
import type { Fix } from '../status.ts'
import type { AttemptFolder } from '../workspace/folder.ts'

export async function noteLessons({ lessons: file }: AttemptFolder, lessons: readonly Lesson[]): Promise<void> {
  if (lessons.length > 0) await writeFile(file, JSON.stringify(lessons.map(({ id }) => id)), { mode: 0o600 })
}

export async function notedLessons({ lessons: file }: AttemptFolder): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '[]')
  try {
    const ids: unknown = JSON.parse(text)
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** A process of the agent whose work its checks did not let pass. */
export type FailedIteration = { failure: Failure; snapshot: Snapshot | undefined }

/** What put it right: the files that were changed only after it failed; where there are none, all of them. */
export function fixesOf(failed: readonly FailedIteration[], last: Snapshot | undefined): Fix[] {
  const paths = last?.paths ?? []
  return failed
    .filter(({ failure }) => failure.reason === 'verify-failed')
    .map(({ failure, snapshot }) => {
      const old = new Set(snapshot?.paths ?? [])
      const fresh = paths.filter((path) => !old.has(path))
      const { message } = failure
      return { message, paths: (fresh.length > 0 ? fresh : paths).slice(0, LIMITS.failurePaths) }
    })
}
