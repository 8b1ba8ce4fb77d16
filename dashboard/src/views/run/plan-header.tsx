// The head of a page that shows a plan before it runs.
import { useSummary } from '../../data/queries.ts'
import { useRun } from './run-context.ts'

export function PlanHeader() {
  const { ref, state } = useRun()
  const { data } = useSummary(ref, null)
  return (
    <header className="run-head tone-calm">
      <div className="verdict">
        <div>
          <h1>{data?.title ?? state.run.name}</h1>
          <p className="soft">
            {state.run.name}
            {data?.detail && ` · ${data.detail}`}
          </p>
          {data?.objective && <p className="soft objective">{data.objective}</p>}
        </div>
        <dl className="figures">
          {data?.figures.slice(0, 4).map(([label, value, note]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                {value}
                <small>{note}</small>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </header>
  )
}
