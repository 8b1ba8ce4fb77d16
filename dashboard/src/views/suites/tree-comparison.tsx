// Two commits side by side (`--compare`): what the newer one has broken, put right, or made slower.
import { formatDuration, type SuiteReport } from '../../shared.ts'

type Comparison = NonNullable<SuiteReport['comparison']>

const KINDS: readonly { name: keyof Comparison; title: string; tone: string }[] = [
  { name: 'newlyBroken', title: 'Newly broken', tone: 'bad' },
  { name: 'newlyFixed', title: 'Newly fixed', tone: 'good' },
  { name: 'stillFailing', title: 'Still failing', tone: 'warn' },
  { name: 'slower', title: 'Slower', tone: 'warn' },
  { name: 'unknown', title: 'No verdict on one side', tone: 'mute' },
]

export function TreeComparison({ comparison, compared }: { comparison: Comparison; compared: string | null }) {
  const present = KINDS.filter(({ name }) => comparison[name].length > 0)
  return (
    <section className="panel" aria-labelledby="trees">
      <h2 id="trees">
        Compared with <code>{compared?.slice(0, 12)}</code>
      </h2>
      {present.length === 0 && <p className="quiet">Nothing differs.</p>}
      {present.map(({ name, title, tone }) => (
        <div key={name}>
          <h3 className={tone}>
            {title} {comparison[name].length}
          </h3>
          <ul>
            {comparison[name].map(({ key, base, head, baseMs, headMs }) => (
              <li key={key} className="inline">
                <code>{key}</code>
                <span className="soft">
                  {base} → {head}
                  {baseMs !== null && headMs !== null && `, ${formatDuration(baseMs)} → ${formatDuration(headMs)}`}
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
