// Times as people say them: how long, and when.
import { useNow } from '../data/now.ts'
import { formatDuration } from '../shared.ts'

/** How long it has been going on, or took. */
export function Elapsed({ from, to }: { from: number; to: number | null }) {
  return to === null ? <Ticking from={from} /> : formatDuration(Math.max(0, to - from))
}

function Ticking({ from }: { from: number }) {
  const now = useNow()
  return formatDuration(Math.max(0, Math.floor((now - from) / 1000) * 1000))
}

export function Moment({ at }: { at: number }) {
  const now = useNow()
  return (
    <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()}>
      {momentText(at, now)}
    </time>
  )
}

/** `just now`, `5 min ago`, `14:32`, `3 Mar 14:32` */
export function momentText(at: number, now: number): string {
  const ago = now - at
  if (ago >= 0 && ago < 60_000) return 'just now'
  if (ago >= 0 && ago < 3_600_000) return `${Math.floor(ago / 60_000)} min ago`
  const date = new Date(at)
  const time = date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  if (date.toDateString() === new Date(now).toDateString()) return time
  return `${date.toLocaleDateString([], { day: 'numeric', month: 'short' })} ${time}`
}
