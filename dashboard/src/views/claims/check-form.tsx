// Whether paths are free, before one changes them.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useData } from '../../data/source.ts'
import { Failure } from '../../parts/failure.tsx'
import type { ClaimCheck } from '../../shared.ts'
import { wordsOf } from './words-of.ts'

export function CheckForm({ project }: { project: string }) {
  const { client } = useData()
  const [paths, setPaths] = useState('')
  const check = useMutation({ mutationFn: (asked: string[]) => client.claims.check({ project, paths: asked }) })
  const asked = wordsOf(paths)
  return (
    <section className="panel" aria-labelledby="check">
      <h2 id="check">Is it free?</h2>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (asked.length > 0) check.mutate(asked)
        }}
      >
        <label className="field">
          <span>Paths, a line each</span>
          <textarea
            rows={3}
            value={paths}
            onChange={({ target }) => setPaths(target.value)}
            placeholder="src/api/users.ts"
          />
        </label>
        <button type="submit" disabled={asked.length === 0 || check.isPending}>
          Check
        </button>
      </form>
      {check.error && <Failure error={check.error} />}
      <div role="status">{check.data && <Checked check={check.data} />}</div>
    </section>
  )
}

function Checked({ check: { conflicts, warnings, can_proceed } }: { check: ClaimCheck }) {
  return (
    <>
      <p className={can_proceed && conflicts.length === 0 ? 'good' : 'bad'}>
        <b>{conflicts.length === 0 ? '✓ Nobody holds them.' : `✗ ${conflicts.length} held by somebody.`}</b>
      </p>
      <ul>
        {conflicts.map(({ path, glob, holder }) => (
          <li key={`${path} ${glob} ${holder.name}`} className="wrap">
            <code>{path}</code> <span className="soft">is in</span> <code>{glob}</code> <span className="soft">of</span>{' '}
            {holder.name}
          </li>
        ))}
        {warnings.map((warning) => (
          <li key={warning} className="warn wrap">
            {warning}
          </li>
        ))}
      </ul>
    </>
  )
}
