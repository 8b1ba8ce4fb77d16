// Searches: the tree of what was tried with its scores, how the best has grown, and of each node what it changed and why it
// was promoted or not.
import '../panels.css'
import './search.css'
import { useMemo } from 'react'
import { useKeys } from '../../app/keyboard.ts'
import { useQueryWord } from '../../app/router.ts'
import { useSearch, useSearchRuns } from '../../data/project-queries.ts'
import { Chart } from '../../parts/chart.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Failure } from '../../parts/failure.tsx'
import { RunChoice, RunLinks } from '../../parts/run-choice.tsx'
import { TableScroll } from '../../parts/table-scroll.tsx'
import { bestUpTo, depthText, type Manifest, money, plain, scoreText, wayText } from '../../shared.ts'
import { bestSoFar } from './best-so-far.ts'
import { NodeDetail } from './node-detail.tsx'
import { SearchTree } from './search-tree.tsx'
import { treeRows } from './tree-rows.ts'

export default function SearchView({ project }: { project: string }) {
  const runs = useSearchRuns(project)
  const [chosen, setChosen] = useQueryWord('run')
  const run = chosen === '' ? (runs.data?.[0]?.run ?? '') : chosen
  const search = useSearch(project, run, runs.data?.find((one) => one.run === run) ?? null)
  if (runs.error && !runs.data) return <Failure error={runs.error} onRetry={() => void runs.refetch()} />
  if (!runs.data) return <p className="quiet">Loading …</p>
  if (runs.data.length === 0)
    return (
      <p className="quiet">
        No search has run yet. <code>espalier search run search.yaml</code> starts one.
      </p>
    )
  return (
    <div className="sheet search">
      <div className="inline">
        <RunChoice label="Search" runs={runs.data} run={run} onChoose={setChosen} />
        <RunLinks project={project} run={run} />
      </div>
      {search.error && <Failure error={search.error} onRetry={() => void search.refetch()} />}
      {search.data && <Search project={project} manifest={search.data} />}
    </div>
  )
}

function Search({ project, manifest }: { project: string; manifest: Manifest }) {
  const rows = useMemo(() => treeRows(manifest), [manifest])
  const best = rows.find(({ node }) => node !== null && node === manifest.best_node_id)?.id ?? 'root'
  const [selected, select] = useQueryWord('node')
  const shown = rows.find(({ id }) => id === selected) ?? rows.find(({ id }) => id === best)
  useKeys([{ keys: 'b', what: 'Go to the best node', run: () => select(best), group: 'Search' }])
  return (
    <>
      <Figures manifest={manifest} onBest={() => select(best)} />
      <div className="pair">
        <Growth manifest={manifest} />
        <Depths manifest={manifest} />
      </div>
      <div className="tree-and-node">
        <SearchTree rows={rows} best={best} selected={shown?.id ?? null} onSelect={select} />
        {shown && <NodeDetail key={shown.id} project={project} manifest={manifest} row={shown} />}
      </div>
    </>
  )
}

function Figures({ manifest, onBest }: { manifest: Manifest; onBest: () => void }) {
  const { root, nodes, evals, best_node_id, objective, score_key, goal, cost_usd, depths, branch, root_commit } =
    manifest
  const best = nodes.find(({ node_id }) => node_id === best_node_id)
  const over = evals.filter(({ task_state }) => task_state === 'completed' || task_state === 'failed').length
  const failed = evals.filter(({ task_state }) => task_state === 'failed').length
  const gain = best && root?.score != null ? best.score - root.score : null
  return (
    <section className="panel" aria-label="Result">
      <p className="soft">{objective}</p>
      <dl className="figures">
        <div>
          <dt>
            Best {score_key} ({goal === 'max' ? 'more is better' : 'less is better'})
          </dt>
          <dd>
            {best ? scoreText(best.score, best.spread) : '–'}{' '}
            {best && (
              <button type="button" onClick={onBest} title="Show the best node (b)">
                Show the best node
              </button>
            )}
            {gain !== null && (
              <small>
                {gain > 0 ? '+' : ''}
                {plain(gain)} against the root ({scoreText(root?.score ?? null)})
              </small>
            )}
            {best && <small>by {wayText(manifest, best.node_id)}</small>}
          </dd>
        </div>
        <div>
          <dt>Evals</dt>
          <dd>
            {over}/{evals.length}
            <small>{failed > 0 ? `${failed} failed` : 'none failed'}</small>
          </dd>
        </div>
        <div>
          <dt>Depth</dt>
          <dd>
            {depths.length}
            <small>
              of {manifest.max_depth}, beam {manifest.beam_width}
            </small>
          </dd>
        </div>
        <div>
          <dt>Cost</dt>
          <dd>{money(cost_usd)}</dd>
        </div>
        {best && (
          <div>
            <dt>Result</dt>
            <dd>
              <Copy text={best.node_id === 'root' ? root_commit.slice(0, 12) : branch} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}

function Depths({ manifest }: { manifest: Manifest }) {
  return (
    <section className="panel" aria-labelledby="depths">
      <h2 id="depths">Depths</h2>
      <TableScroll label="Depths">
        <table>
          <thead>
            <tr>
              <th>Depth</th>
              <th>Evals</th>
              <th className="number">Promoted</th>
              <th className="number">Best so far</th>
            </tr>
          </thead>
          <tbody>
            {manifest.depths.map((one) => (
              <tr key={one.depth}>
                <th scope="row">{one.depth}</th>
                <td>{depthText(one)}</td>
                <td className="number">{one.promoted}</td>
                <td className="number">{scoreText(bestUpTo(manifest, one.depth))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  )
}

function Growth({ manifest }: { manifest: Manifest }) {
  const chart = useMemo(() => bestSoFar(manifest), [manifest])
  if (chart.xs.length < 2) return null
  const end = chart.best.at(-1)
  return (
    <section className="panel" aria-labelledby="growth">
      <h2 id="growth">Best so far</h2>
      <Chart
        label={`The best score over ${chart.xs.length - 1} evals: from ${plain(chart.best[0] ?? 0)} to ${plain(end ?? 0)}`}
        xs={chart.xs}
        lines={chart.lines}
        x="count"
        yText={plain}
        height={160}
        isFromZero={false}
      />
    </section>
  )
}
