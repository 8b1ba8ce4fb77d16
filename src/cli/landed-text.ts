// What `espalier land` says it did: never more than has landed.
import type { LandedRun } from '../index.ts'
import type { RunView } from '../status.ts'
import { count, short } from './event-line.ts'

/** Tasks named in the message; `status` has the others. */
const NAMED = 12

export function landedText({ run, into, commit, how }: LandedRun, { tasks, counts }: RunView): string {
  const missing = tasks.filter(({ status }) => status !== 'landed' && status !== 'passed')
  const what =
    missing.length === 0
      ? `all of run ${run}`
      : `the ${counts.landed} of ${count(counts.total, 'task')} of run ${run} that landed`
  const said = {
    'fast-forward': `${into} now stands at ${short(commit)}, with ${what}`,
    merge: `merged ${what} into ${into} as ${short(commit)}`,
    'up-to-date': `${into} already has ${what}`,
  }
  if (missing.length === 0) return said[how]
  const names = missing.slice(0, NAMED).map(({ id, status }) => `${id} (${status})`)
  if (missing.length > NAMED) names.push(`… ${missing.length - NAMED} more`)
  return `${said[how]}\nnot in it: ${names.join(', ')}`
}
