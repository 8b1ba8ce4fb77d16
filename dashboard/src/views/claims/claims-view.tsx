// Who holds which paths of the repository, who waits for them, and what a person can do about it.
import { TableScroll } from '../../parts/table-scroll.tsx'
import '../panels.css'
import './claims.css'
import { useRef, useState } from 'react'
import { useKeys } from '../../app/keyboard.ts'
import { hrefTo } from '../../app/router.ts'
import { useAction } from '../../data/actions.ts'
import { useClaims } from '../../data/project-queries.ts'
import { useMay } from '../../data/queries.ts'
import { Failure } from '../../parts/failure.tsx'
import { Moment } from '../../parts/time.tsx'
import type { ClaimsView as Claims, HeldClaim } from '../../shared.ts'
import { CheckForm } from './check-form.tsx'
import { HoldForm } from './hold-form.tsx'

export default function ClaimsView({ project }: { project: string }) {
  const claims = useClaims(project)
  const may = useMay('run')
  const [words, setWords] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useKeys([{ keys: '/', what: 'Find claims', run: () => field.current?.focus(), group: 'Claims' }])
  if (claims.error && !claims.data) return <Failure error={claims.error} onRetry={() => void claims.refetch()} />
  if (!claims.data) return <p className="quiet">Loading …</p>
  const { run, held, undeclared } = claims.data
  const shown = held.filter(({ glob, holder }) => `${glob} ${holder.name}`.toLowerCase().includes(words.toLowerCase()))
  return (
    <div className="sheet claims">
      <section className="panel" aria-labelledby="held">
        <header>
          <h2 id="held">
            Held now <span className="soft">{held.length}</span>
          </h2>
          <input
            ref={field}
            type="search"
            placeholder="Find claims  /"
            aria-label="Find claims"
            value={words}
            onChange={({ target }) => setWords(target.value)}
          />
        </header>
        {held.length === 0 && (
          <p className="quiet">
            {run === null ? 'No run is active, and nobody holds a path.' : `Nothing is held by ${run} right now.`}
          </p>
        )}
        {shown.length > 0 && (
          <HeldTable project={project} run={run} held={shown} onChange={() => void claims.refetch()} />
        )}
        {held.length > 0 && shown.length === 0 && <p className="quiet">No claim fits.</p>}
        {undeclared.length > 0 && (
          <p>
            <span className="warn">Without claims at work:</span> {undeclared.join(', ')}.{' '}
            <span className="soft">They may change anything.</span>
          </p>
        )}
      </section>
      <Waiting project={project} claims={claims.data} />
      <div className="pair">
        <CheckForm project={project} />
        {may && <HoldForm project={project} onDone={() => void claims.refetch()} />}
      </div>
    </div>
  )
}

const ORIGINS: Record<HeldClaim['origin'], string> = {
  plan: 'by the plan',
  asked: 'asked for while it worked',
  extended: 'changed without a claim',
  learned: 'collided before',
  person: 'by a person',
}

type HeldProps = { project: string; run: string | null; held: readonly HeldClaim[]; onChange: () => void }

function HeldTable({ project, run, held, onChange }: HeldProps) {
  const may = useMay('run')
  const release = useAction(async (client, { glob, holder }: HeldClaim) => {
    const { released } = await client.claims.release({ project, globs: [glob], name: holder.name })
    onChange()
    return `Released ${released.map((one) => one.glob).join(', ') || 'nothing'}.`
  })
  return (
    <TableScroll label="Held now">
      <table>
        <thead>
          <tr>
            <th>Paths</th>
            <th>Holder</th>
            <th>Since</th>
            <th>Until</th>
            <th>Why</th>
            <th aria-label="Release" />
          </tr>
        </thead>
        <tbody>
          {held.map((claim) => (
            <tr key={`${claim.holder.kind} ${claim.holder.name} ${claim.glob} ${claim.mode}`}>
              <th scope="row" className="wrap">
                <code>{claim.glob}</code> {claim.mode === 'read' && <span className="tag">read</span>}
              </th>
              <td>
                <Holder project={project} run={run} holder={claim.holder} />
              </td>
              <td>
                <Moment at={claim.since} />
              </td>
              <td>
                {claim.until === null ? <span className="soft">it has landed</span> : <Moment at={claim.until} />}
              </td>
              <td className="soft">{ORIGINS[claim.origin]}</td>
              <td className="number">
                {may && claim.holder.kind === 'person' && (
                  <button type="button" disabled={release.isPending} onClick={() => release.mutate(claim)}>
                    Release<span className="only-heard"> {claim.glob}</span>
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  )
}

function Holder({ project, run, holder }: { project: string; run: string | null; holder: HeldClaim['holder'] }) {
  if (holder.kind === 'person' || run === null) return <>{holder.name}</>
  const place = { kind: 'run', project, run, view: 'list', task: holder.name, part: null } as const
  return (
    <a href={hrefTo(place)} className="mono">
      {holder.name}
    </a>
  )
}

function Waiting({ project, claims: { run, waiting, waitingCount } }: { project: string; claims: Claims }) {
  if (waitingCount === 0) return null
  return (
    <section className="panel" aria-labelledby="waiting">
      <h2 id="waiting">
        Waiting for paths <span className="soft">{waitingCount}</span>
      </h2>
      <ul className="waiting">
        {waiting.map(({ task, glob, holder }) => (
          <li key={`${task} ${glob}`}>
            <Holder project={project} run={run} holder={{ kind: 'task', name: task }} />{' '}
            <span className="soft">waits for</span> <code>{glob}</code> <span className="soft">of</span>{' '}
            <Holder project={project} run={run} holder={holder} />
          </li>
        ))}
      </ul>
      {waitingCount > waiting.length && <p className="soft">and {waitingCount - waiting.length} more</p>}
    </section>
  )
}
