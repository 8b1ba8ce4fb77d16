// Tables and lists of a report, which come as data.
import { Fragment, type ReactNode } from 'react'
import type { ReportSection } from '../shared.ts'

type Cell = NonNullable<ReportSection['list']>[number]
type Piece = Exclude<Cell, readonly unknown[]>

/** `hrefOf`: where a task is shown; null where it is not there. */
type Props = { sections: readonly ReportSection[]; hrefOf: (task: string) => string | null }

export function Sections({ sections, hrefOf }: Props) {
  return sections.map(({ title, words = [], head = [], rows = [], list = [], leftOut = 0, where }) => (
    <section key={title}>
      {title !== '' && <h2>{title}</h2>}
      {words.map((text) => (
        <p key={text} className="soft">
          {withCode(text)}
        </p>
      ))}
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <div className="wide" tabIndex={0} role="region" aria-label={title || 'Note'}>
          <table>
            {head.length > 0 && (
              <thead>
                <tr>
                  {head.map((name, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                    <th key={column} scope="col">
                      {name || <span className="only-heard">number</span>}
                    </th>
                  ))}
                </tr>
              </thead>
            )}
            <tbody>
              {rows.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows never move
                <tr key={index}>
                  {row.map((cell, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
                    <td key={column}>{cellOf(cell, hrefOf)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {list.length > 0 && (
        <ul>
          {list.map((cell, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries never move
            <li key={index}>{cellOf(cell, hrefOf)}</li>
          ))}
        </ul>
      )}
      {leftOut > 0 && (
        <p className="soft">
          And {leftOut} more; {withCode(where ?? 'the JSON report has all of them')}.
        </p>
      )}
    </section>
  ))
}

function cellOf(cell: Cell, hrefOf: Props['hrefOf']): ReactNode {
  if (!Array.isArray(cell)) return pieceOf(cell as Piece, hrefOf)
  // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move
  return (cell as Piece[]).map((piece, index) => <Fragment key={index}>{pieceOf(piece, hrefOf)}</Fragment>)
}

const MOST_TASKS = 60

function pieceOf(piece: Piece, hrefOf: Props['hrefOf']): ReactNode {
  if (typeof piece === 'string') return withCode(piece)
  if ('code' in piece) return piece.code === '' ? null : <code>{piece.code}</code>
  if ('ownRow' in piece) return <TaskName task={piece.ownRow} hrefOf={hrefOf} />
  if ('sign' in piece)
    return (
      <span className={`sign-chip ${piece.tone}`} title={piece.title}>
        {piece.sign}
      </span>
    )
  const shown = piece.tasks.slice(0, piece.most ?? MOST_TASKS)
  return (
    <>
      {shown.map((task, index) => (
        <Fragment key={task}>
          {index > 0 && ', '}
          <TaskName task={task} hrefOf={hrefOf} />
        </Fragment>
      ))}
      {piece.tasks.length > shown.length && ` and ${piece.tasks.length - shown.length} more`}
    </>
  )
}

function TaskName({ task, hrefOf }: { task: string; hrefOf: Props['hrefOf'] }) {
  const href = hrefOf(task)
  return href === null ? (
    <span className="mono">{task}</span>
  ) : (
    <a className="mono" href={href}>
      {task}
    </a>
  )
}

/** Text with code in backticks. */
function withCode(text: string): ReactNode {
  if (!text.includes('`')) return text
  return text.split(/(`[^`]+`)/).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts never move
    part.length > 1 && part.startsWith('`') && part.endsWith('`') ? <code key={index}>{part.slice(1, -1)}</code> : part,
  )
}
