// The last results of an entry as bars: as high as it took, and another shape where it failed.
import { type EntryHistory, formatDuration } from '../../shared.ts'

const WIDTH = 6
const HEIGHT = 22

export function Sparkline({ records }: { records: EntryHistory['records'] }) {
  const most = records.reduce((max, { durationMs }) => Math.max(max, durationMs), 1)
  const failed = records.filter(({ verdict }) => verdict === 'failed').length
  const label = `${records.length} results, ${failed} failed, the last ${records.at(-1)?.verdict ?? 'unknown'}`
  return (
    <svg className="sparkline" role="img" aria-label={label} width={records.length * WIDTH} height={HEIGHT}>
      {records.map(({ run, id, verdict, durationMs }, index) => {
        const height = Math.max(3, (durationMs / most) * (HEIGHT - 5))
        const x = index * WIDTH
        const title = `${run}: ${verdict}, ${formatDuration(durationMs)}`
        return (
          <g key={`${run} ${id}`} className={toneOf(verdict)}>
            <title>{title}</title>
            {verdict === 'failed' ? (
              <path d={`M${x} ${HEIGHT}v${-height}l2.5 -4l2.5 4v${height}z`} fill="currentColor" />
            ) : (
              <rect x={x} y={HEIGHT - height} width={WIDTH - 1.5} height={height} rx={1} fill="currentColor" />
            )}
          </g>
        )
      })}
    </svg>
  )
}

function toneOf(verdict: string): string {
  if (verdict === 'passed') return 'good'
  return verdict === 'failed' ? 'bad' : verdict === 'flaky' ? 'warn' : 'mute'
}
