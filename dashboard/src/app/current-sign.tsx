// Whether what is shown is current. While it is not, it is said in words, and since when.
import { useCurrentness } from '../data/live.ts'
import { useNow } from '../data/now.ts'
import { formatDuration } from '../shared.ts'

export function CurrentSign() {
  const current = useCurrentness()
  switch (current.state) {
    case 'connecting':
      return <span className="current soft">connecting …</span>
    case 'current':
      return (
        <span className="current good" title="Events arrive as they happen">
          <i aria-hidden="true" /> live
        </span>
      )
    case 'lost':
      return <Lost since={current.since} />
    case 'refused':
      return (
        <span className="current bad" role="alert">
          <i aria-hidden="true" /> not current: {current.why}
        </span>
      )
    default:
      return current satisfies never
  }
}

function Lost({ since }: { since: number }) {
  const now = useNow()
  return (
    <span className="current warn" role="alert">
      <i aria-hidden="true" /> not current for {formatDuration(Math.max(0, Math.round((now - since) / 1000) * 1000))},
      reconnecting …
    </span>
  )
}
