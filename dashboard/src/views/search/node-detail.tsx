// One thing that was tried: its numbers, its gates, why it was promoted or not, and what it changed.
import { useState } from 'react'
import { hrefTo } from '../../app/router.ts'
import { useNodeDiff } from '../../data/project-queries.ts'
import { Copy } from '../../parts/copy.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Failure } from '../../parts/failure.tsx'
import {
  durationText,
  ideaText,
  type Manifest,
  messageParts,
  money,
  plain,
  promotionText,
  scoreText,
} from '../../shared.ts'
import type { TreeRow } from './tree-rows.ts'

type Props = { project: string; manifest: Manifest; row: TreeRow }

export function NodeDetail({ project, manifest, row }: Props) {
  const { id, entry, node, parent } = row
  const isRoot = parent === null
  const change = entry.score !== null && parent?.score != null ? entry.score - parent.score : null
  return (
    <section className="panel node" aria-labelledby="node">
      <header>
        <h2 id="node">{ideaText(entry.idea_path)}</h2>
        <code className="soft">{node ?? id}</code>
      </header>
      <p className={node === null ? 'warn' : 'good'}>
        <b>{isRoot ? 'What the search began with' : sentence(promotionText(entry) || entry.task_state)}</b>
      </p>
      {entry.error && <ErrorText project={project} run={manifest.run} error={entry.error} />}
      <dl className="facts">
        <div>
          <dt>Score</dt>
          <dd>
            <b>{scoreText(entry.score, entry.spread)}</b>
            {change !== null && (
              <span className="soft">
                {change > 0 ? '+' : ''}
                {plain(change)} against its node
              </span>
            )}
          </dd>
        </div>
        {Object.keys(entry.scores).length > 1 && (
          <div>
            <dt>All numbers</dt>
            <dd>
              {Object.entries(entry.scores).map(([key, value]) => (
                <span key={key}>
                  {key} {plain(value)}
                </span>
              ))}
            </dd>
          </div>
        )}
        {entry.gates.length > 0 && (
          <div>
            <dt>Gates</dt>
            <dd>
              {entry.gates.map(({ command, passed }) => (
                <span key={command} className={passed ? 'good' : 'bad'}>
                  {passed ? '✓' : '✗'} <code>{command}</code>
                </span>
              ))}
            </dd>
          </div>
        )}
        {entry.changed_protected.length > 0 && (
          <div>
            <dt>Restored</dt>
            <dd className="warn">{entry.changed_protected.join(', ')}</dd>
          </div>
        )}
        {entry.commit && (
          <div>
            <dt>Commit</dt>
            <dd>
              <Copy text={entry.commit.slice(0, 12)} />
            </dd>
          </div>
        )}
        {!isRoot && (
          <div>
            <dt>Took</dt>
            <dd>
              {durationText(entry) || '–'}
              <span className="soft">
                {entry.attempt} {entry.attempt === 1 ? 'try' : 'tries'}
              </span>
              <a
                href={hrefTo(
                  { kind: 'run', project, run: manifest.run, view: 'list', task: null, part: null },
                  `find=${encodeURIComponent(id)}`,
                )}
              >
                Its steps
              </a>
            </dd>
          </div>
        )}
        {entry.cost_usd > 0 && (
          <div>
            <dt>Cost</dt>
            <dd>{money(entry.cost_usd)}</dd>
          </div>
        )}
      </dl>
      {!isRoot && <NodeDiff project={project} manifest={manifest} row={row} />}
    </section>
  )
}

const MOST_HEIGHT = 460

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

type ErrorProps = { project: string; run: string; error: NonNullable<TreeRow['entry']['error']> }

function ErrorText({ project, run, error: { message, task } }: ErrorProps) {
  const { said, output } = messageParts(message)
  return (
    <>
      <p className="wrap">
        {said} <a href={hrefTo({ kind: 'run', project, run, view: 'list', task, part: 'output' })}>Output of {task}</a>
      </p>
      {output && <pre>{output}</pre>}
    </>
  )
}

/** Against the node it was tried on, or against the root: all that was changed on the way. */
function NodeDiff({ project, manifest, row }: Props) {
  const { id, entry, parent } = row
  const [isRoot, setRoot] = useState(false)
  const before = isRoot ? 'root' : (parent?.eval_id ?? 'root')
  const diff = useNodeDiff(project, manifest.run, entry.commit === null ? null : { a: before, b: id })
  if (entry.commit === null) return <p className="quiet">There is no commit of it.</p>
  return (
    <>
      {parent?.eval_id !== 'root' && (
        <span className="choice" role="group" aria-label="Changed against">
          <button type="button" aria-pressed={!isRoot} onClick={() => setRoot(false)}>
            Against its node
          </button>
          <button type="button" aria-pressed={isRoot} onClick={() => setRoot(true)}>
            Against the root
          </button>
        </span>
      )}
      {diff.error && <Failure error={diff.error} onRetry={() => void diff.refetch()} />}
      {diff.data?.diff === null && <p className="quiet">Their files cannot be compared.</p>}
      {diff.data?.diff === '' && <p className="quiet">It changed nothing.</p>}
      {diff.data?.diff && (
        <div
          className="node-diff"
          style={{ height: Math.min(MOST_HEIGHT, 80 + 20 * diff.data.diff.split('\n').length) }}
        >
          <Diff text={diff.data.diff} />
        </div>
      )}
      {!diff.data && !diff.error && <p className="quiet">Loading …</p>}
    </>
  )
}
