// Text that a program printed: its colours are shown, nothing in it is ever HTML. Stays at the end while somebody is there,
// and where they scrolled to otherwise. Tool calls in a row are folded.
import { useVirtualizer } from '@tanstack/react-virtual'
import Anser from 'anser'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'

const LINE_HEIGHT = 19

export function Output({ text, isFolded }: { text: string; isFolded: boolean }) {
  const scroller = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  const lines = useMemo(() => text.replace(/\n$/, '').split('\n'), [text])
  const rows = useMemo(() => (isFolded ? foldedRows(lines, unfolded) : lines.map(lineRow)), [lines, isFolded, unfolded])
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 30,
  })
  const { length } = rows
  useEffect(() => {
    if (isAtEnd.current && length > 0) virtual.scrollToIndex(length - 1, { align: 'end' })
  }, [length, virtual])
  if (text === '') return <p className="quiet">Nothing was printed yet.</p>
  return (
    <div
      ref={scroller}
      className="output mono"
      role="log"
      aria-label="Output"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 2 * LINE_HEIGHT
      }}
    >
      <div style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const row = rows[index]
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
            >
              {row?.kind === 'fold' ? (
                <button
                  type="button"
                  className="fold"
                  onClick={() => setUnfolded((before) => new Set(before).add(row.from))}
                >
                  ▸ {row.count} tool calls{row.failed > 0 && <span className="bad"> ({row.failed} failed)</span>}
                </button>
              ) : (
                <Line text={row?.text ?? ''} />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

type Row = { kind: 'line'; text: string } | { kind: 'fold'; from: number; count: number; failed: number }

/** So many in a row are folded. */
const FOLDED_CALLS = 4

function foldedRows(lines: readonly string[], unfolded: ReadonlySet<number>): Row[] {
  const rows: Row[] = []
  for (let index = 0; index < lines.length; ) {
    let end = index
    while (end < lines.length && TOOL_CALL.test(lines[end] ?? '')) end++
    const count = end - index
    // The newest stay in sight: they are what the agent is doing.
    if (count >= FOLDED_CALLS && end < lines.length && !unfolded.has(index)) {
      const failed = lines.slice(index, end).filter((line) => line.startsWith('  ✗')).length
      rows.push({ kind: 'fold', from: index, count, failed })
      index = end
    } else {
      for (const last = Math.max(end, index + 1); index < last; index++) rows.push(lineRow(lines[index] ?? ''))
    }
  }
  return rows
}

function lineRow(text: string): Row {
  return { kind: 'line', text }
}

const TOOL_CALL = /^ {2}[✓✗…] /
const HEADING = /^── .* ──$/
const MOST_LINE_CHARS = 5_000

function Line({ text }: { text: string }): ReactNode {
  const shown = text.length > MOST_LINE_CHARS ? `${text.slice(0, MOST_LINE_CHARS)} …` : text
  if (HEADING.test(shown)) return <span className="heading">{shown.slice(3, -3)}</span>
  if (TOOL_CALL.test(shown)) return <span className={shown.startsWith('  ✗') ? 'bad' : 'soft'}>{shown}</span>
  if (!shown.includes('\u001b')) return shown.replace(/\r/g, '') || '\u00a0'
  return Anser.ansiToJson(shown, { json: true, remove_empty: true, use_classes: true }).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a line never move
    <span key={index} className={classesOf(part)}>
      {part.content}
    </span>
  ))
}

function classesOf({ fg, bg, decorations }: Anser.AnserJsonEntry): string {
  return [fg && `fg-${fg}`, bg && `bg-${bg}`, ...decorations].filter(Boolean).join(' ')
}
