// The tasks of a run by status, as one bar and as words.
import { type Counts, STATUS_ORDER, STATUS_TONE } from '../shared.ts'
import { StatusSign } from './status-sign.tsx'

export function ShareBar({ counts }: { counts: Counts }) {
  const present = STATUS_ORDER.toReversed().filter((status) => counts[status] > 0)
  const words = present.map((status) => `${counts[status]} ${status}`).join(', ')
  return (
    <div className="share" role="img" aria-label={`${counts.total} tasks: ${words}`}>
      {present.map((status) => (
        <i
          key={status}
          className={`${STATUS_TONE[status]} ${status}`}
          title={`${counts[status]} ${status}`}
          style={{ flexGrow: counts[status] }}
        />
      ))}
    </div>
  )
}

export function ShareLegend({ counts }: { counts: Counts }) {
  return (
    <ul className="legend">
      {STATUS_ORDER.filter((status) => counts[status] > 0).map((status) => (
        <li key={status}>
          <StatusSign status={status} size={13} />
          <span>
            <b>{counts[status]}</b> {status}
          </span>
        </li>
      ))}
    </ul>
  )
}
