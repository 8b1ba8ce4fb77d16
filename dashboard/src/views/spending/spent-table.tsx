// What was spent on each, the most first: the part that landed or may, and the part that did not.

import { useMemo, useState } from 'react'
import { TableScroll } from '../../parts/table-scroll.tsx'
import { costText, money, type SpentOn, tokensText } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'

const MOST_ROWS = 100

type Props = { spent: readonly SpentOn[]; title: string; isTasks: boolean }

export function SpentTable({ spent, title, isTasks }: Props) {
  const { hrefOfTask, state } = useRun()
  const [isAll, setAll] = useState(false)
  const sorted = useMemo(
    () => spent.toSorted((a, b) => b.usage.costUsd - a.usage.costUsd || b.usage.inputTokens - a.usage.inputTokens),
    [spent],
  )
  const most = sorted[0]?.usage.costUsd ?? 0
  if (sorted.length === 0) return <p className="quiet">Nothing is known of it.</p>
  const shown = isAll ? sorted : sorted.slice(0, MOST_ROWS)
  return (
    <TableScroll label="Spent">
      <table className="spent">
        <thead>
          <tr>
            <th>{title}</th>
            <th className="number">Cost</th>
            <th aria-label="Share" />
            <th className="number">Not landed</th>
            <th className="number">Tokens</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, usage, notLanded }) => (
            <tr key={name}>
              <th scope="row">
                {isTasks ? (
                  <a href={hrefOfTask(name)} className="mono" title={state.byId.get(name)?.title ?? name}>
                    {name}
                  </a>
                ) : (
                  name
                )}
              </th>
              <td className="number">{costText(usage)}</td>
              <td className="bar">
                <Share good={usage.costUsd - notLanded.costUsd} lost={notLanded.costUsd} most={most} />
              </td>
              <td className={notLanded.costUsd > 0 ? 'number warn' : 'number soft'}>
                {notLanded.costUsd > 0 ? money(notLanded.costUsd) : '–'}
              </td>
              <td className="number soft">{tokensText(usage)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > shown.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {sorted.length}
        </button>
      )}
    </TableScroll>
  )
}

function Share({ good, lost, most }: { good: number; lost: number; most: number }) {
  const part = (usd: number) => (most > 0 ? (usd / most) * 100 : 0)
  return (
    <span className="share-line" aria-hidden="true">
      <i className="live" style={{ width: `${part(good)}%` }} />
      <i className="warn hatched" style={{ width: `${part(lost)}%` }} />
    </span>
  )
}
