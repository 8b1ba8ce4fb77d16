// Which run of a suite or a search is shown, and the way to its tasks.
import { hrefTo } from '../app/router.ts'
import type { Answer } from '../shared.ts'

type Props = {
  label: string
  runs: readonly Pick<Answer<'runs.list'>['items'][number], 'run' | 'status' | 'startedAt'>[]
  run: string
  onChoose: (run: string) => void
}

export function RunChoice({ label, runs, run, onChoose }: Props) {
  return (
    <label className="inline">
      <span className="soft">{label}</span>
      <select value={run} onChange={({ target }) => onChoose(target.value)}>
        {runs.map(({ run, status, startedAt }) => (
          <option key={run} value={run}>
            {run}: {status}, {new Date(startedAt).toLocaleString()}
          </option>
        ))}
      </select>
    </label>
  )
}

export function RunLinks({ project, run }: { project: string; run: string }) {
  if (run === '') return null
  const place = { kind: 'run', project, run, task: null, part: null } as const
  return (
    <>
      <a href={hrefTo({ ...place, view: 'list' })}>Tasks and output</a>
      <a href={hrefTo({ ...place, view: 'timeline' })}>Timeline</a>
    </>
  )
}
