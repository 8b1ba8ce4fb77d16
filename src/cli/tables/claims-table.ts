// Tables of claims: holders of paths, and tasks that wait for them.
import type { ClaimCheck, ClaimHolder, ClaimsView, HeldClaim } from '../../held-claims.ts'
import { formatDuration } from '../../text/duration.ts'
import { count } from '../../text/figures.ts'
import { safeLine } from '../../text/safe.ts'
import { fit } from '../../text/width.ts'
import type { LookNow } from '../surroundings.ts'
import { tableLines } from '../terminal/table.ts'

const HEAD = ['held by', 'claim', '', 'held for', '']

export function heldClaimLines(view: ClaimsView, look: LookNow): string[] {
  const rows = view.held.map((held) => cells(held, look.now))
  const table = rows.length > 0 ? tableLines(HEAD, rows, look) : []
  return [...table, ...undeclaredLines(view, look), ...waitingLines(view, look)]
}

export function checkLines(
  { conflicts, warnings, can_proceed }: ClaimCheck,
  { now, width, palette }: LookNow,
): string[] {
  const found = conflicts.map((one) => {
    const until = one.until === null ? 'until its work has landed' : `for another ${formatDuration(one.until - now)}`
    const does = one.mode === 'read' ? 'relies on' : 'holds'
    return `${palette.bad('✗')} ${fit(safeLine(`${one.path}: ${nameOf(one.holder)} ${does} ${one.glob} ${until}`), width - 2)}`
  })
  const told = warnings.map((text) => `${palette.busy('!')} ${fit(safeLine(text), width - 2)}`)
  return [...found, ...told, ...(can_proceed ? [`${palette.good('✓')} free`] : [])]
}

function cells({ holder, glob, mode, since, until, origin }: HeldClaim, now: number): string[] {
  const left = until === null ? '' : `${formatDuration(Math.max(0, until - now))} left`
  const notes = [left, ORIGINS[origin]].filter((text) => text !== '')
  return [nameOf(holder), safeLine(glob), mode, formatDuration(Math.max(0, now - since)), notes.join(', ')]
}

const ORIGINS: Record<HeldClaim['origin'], string> = {
  plan: '',
  person: '',
  asked: 'requested while running',
  extended: 'changed without a claim',
  learned: 'added after an earlier conflict',
}

function nameOf({ kind, name }: ClaimHolder): string {
  return kind === 'person' ? safeLine(`${name} (a person)`) : name
}

function undeclaredLines({ undeclared }: ClaimsView, { width, palette }: LookNow): string[] {
  if (undeclared.length === 0) return []
  const who = undeclared.length > SHOWN ? count(undeclared.length, 'task') : undeclared.join(', ')
  return [fit(`${palette.busy('!')} running without a claim, may change anything: ${who}`, width)]
}

function waitingLines({ waiting, waitingCount }: ClaimsView, { width }: LookNow): string[] {
  const lines = waiting
    .slice(0, SHOWN)
    .map(({ task, glob, holder }) => fit(safeLine(`· ${task} waits for ${nameOf(holder)}: ${glob}`), width))
  const left = waitingCount - lines.length
  return left > 0 ? [...lines, `  … and ${left} more wait`] : lines
}

const SHOWN = 10
