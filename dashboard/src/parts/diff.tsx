// A diff, file by file. Only what is in sight is in the page, so that one of 16 MB scrolls, too.
import { useVirtualizer } from '@tanstack/react-virtual'
import parser, { type Change, type File } from 'gitdiff-parser'
import { useMemo, useRef } from 'react'

const LINE_HEIGHT = 19

type Row =
  | { kind: 'file'; file: File; added: number; removed: number }
  | { kind: 'hunk'; text: string }
  | { kind: 'line'; change: Change }
  | { kind: 'note'; text: string }

export function Diff({ text }: { text: string }) {
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, files } = useMemo(() => rowsOf(text), [text])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'file' ? 34 : LINE_HEIGHT),
    overscan: 30,
  })
  return (
    <>
      {files.length > 1 && (
        <details className="diff-files">
          <summary>{files.length} files</summary>
          <ul>
            {files.map(({ name, row, added, removed }) => (
              <li key={name}>
                <button type="button" className="plain mono" onClick={() => virtual.scrollToIndex(row)}>
                  {name}
                </button>{' '}
                <span className="good">+{added}</span> <span className="bad">−{removed}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div ref={scroller} className="diff mono" tabIndex={0} role="region" aria-label="Diff">
        <div style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
            >
              <DiffRow row={rows[index]} />
            </div>
          ))}
        </div>
      </div>
    </>
  )
}

function DiffRow({ row }: { row: Row | undefined }) {
  switch (row?.kind) {
    case undefined:
      return null
    case 'file':
      return (
        <div className="diff-file">
          <b>{nameOf(row.file)}</b>
          <span className="soft">{row.file.type === 'modify' ? '' : WORDS[row.file.type]}</span>
          <span className="grow" />
          <span className="good">+{row.added}</span> <span className="bad">−{row.removed}</span>
        </div>
      )
    case 'hunk':
      return <div className="diff-hunk">{row.text}</div>
    case 'note':
      return <div className="diff-hunk">{row.text}</div>
    case 'line': {
      const { change } = row
      const [old, now] =
        change.type === 'normal'
          ? [change.oldLineNumber, change.newLineNumber]
          : change.type === 'insert'
            ? ['', change.lineNumber]
            : [change.lineNumber, '']
      return (
        <div className={`diff-line ${change.type}`}>
          <span className="line-number">{old}</span>
          <span className="line-number">{now}</span>
          <span className="mark">{change.type === 'insert' ? '+' : change.type === 'delete' ? '−' : ' '}</span>
          <span className="code">{change.content || ' '}</span>
        </div>
      )
    }
    default:
      return row satisfies never
  }
}

const WORDS = { add: 'new', delete: 'removed', rename: 'renamed', copy: 'copied', modify: '' } as const

type Listed = { name: string; row: number; added: number; removed: number }

function rowsOf(text: string): { rows: Row[]; files: Listed[] } {
  const rows: Row[] = []
  const files: Listed[] = []
  for (const file of parsed(text)) {
    const changes = file.hunks.flatMap((hunk) => hunk.changes)
    const added = changes.filter(({ type }) => type === 'insert').length
    const removed = changes.filter(({ type }) => type === 'delete').length
    files.push({ name: nameOf(file), row: rows.length, added, removed })
    rows.push({ kind: 'file', file, added, removed })
    if (file.isBinary) rows.push({ kind: 'note', text: 'binary' })
    for (const hunk of file.hunks) {
      rows.push({ kind: 'hunk', text: hunk.content })
      for (const change of hunk.changes) rows.push({ kind: 'line', change })
    }
  }
  return { rows, files }
}

/** A diff that was cut at its end, or that git writes in a way of its own, is shown as the lines it has. */
function parsed(text: string): File[] {
  try {
    return parser.parse(text)
  } catch {
    const changes = text.split('\n').map((content, index): Change => {
      return { type: 'normal', isNormal: true, content, oldLineNumber: index + 1, newLineNumber: index + 1 }
    })
    const hunk = { content: '', oldStart: 1, newStart: 1, oldLines: changes.length, newLines: changes.length, changes }
    const rest = { oldEndingNewLine: true, newEndingNewLine: true, oldMode: '', newMode: '', oldRevision: '' }
    return [{ ...rest, newRevision: '', oldPath: '', newPath: 'diff', type: 'modify', hunks: [hunk] }]
  }
}

function nameOf({ type, oldPath, newPath }: File): string {
  if (type === 'delete') return oldPath
  return type === 'rename' || type === 'copy' ? `${oldPath} → ${newPath}` : newPath
}
