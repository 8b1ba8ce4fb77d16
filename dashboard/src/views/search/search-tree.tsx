// The tree, a row for each thing that was tried. One stop of the tab key; arrows, `j` and `k` move in it.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useKeys } from '../../app/keyboard.ts'
import { ideaText, promotionText, scoreText } from '../../shared.ts'
import type { TreeRow } from './tree-rows.ts'

type Props = { rows: readonly TreeRow[]; best: string; selected: string | null; onSelect: (id: string) => void }

const ROW_HEIGHT = 32

export function SearchTree({ rows, best, selected, onSelect }: Props) {
  const [isOnlyNodes, setOnlyNodes] = useState(false)
  const shown = useMemo(() => (isOnlyNodes ? rows.filter(({ node }) => node !== null) : rows), [rows, isOnlyNodes])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  })
  const index = shown.findIndex(({ id }) => id === selected)
  useEffect(() => {
    if (index >= 0) virtual.scrollToIndex(index)
  }, [index, virtual])
  const move = (by: number) => {
    const next = shown[Math.max(0, Math.min(shown.length - 1, index + by))]
    if (next) onSelect(next.id)
  }
  useKeys([
    { keys: 'j', what: 'Next row of the tree', run: () => move(1), group: 'Search' },
    { keys: 'k', what: 'Row before', run: () => move(-1), group: 'Search' },
    { keys: 'n', what: 'Only nodes, or all that was tried', run: () => setOnlyNodes(!isOnlyNodes), group: 'Search' },
  ])
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: -shown.length, End: shown.length }
  return (
    <section className="panel" aria-labelledby="tree">
      <header>
        <h2 id="tree">
          Tree <span className="soft">{rows.length - 1} tried</span>
        </h2>
        <label>
          <input type="checkbox" checked={isOnlyNodes} onChange={({ target }) => setOnlyNodes(target.checked)} /> only
          nodes
        </label>
      </header>
      <div
        ref={scroller}
        className="search-tree"
        role="tree"
        aria-label="What was tried"
        tabIndex={0}
        aria-activedescendant={index >= 0 ? `row-${selected}` : undefined}
        onKeyDown={(event) => {
          const step = steps[event.key]
          if (step === undefined) return
          event.preventDefault()
          move(step)
        }}
      >
        <div role="presentation" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index: at, start, size }) => {
            const row = shown[at]
            if (!row) return null
            return (
              <Row
                key={row.id}
                row={row}
                isBest={row.id === best}
                isSelected={row.id === selected}
                onSelect={onSelect}
                start={start}
                height={size}
              />
            )
          })}
        </div>
      </div>
    </section>
  )
}

type RowProps = {
  row: TreeRow
  isBest: boolean
  isSelected: boolean
  onSelect: (id: string) => void
  start: number
  height: number
}

function Row({ row, isBest, isSelected, onSelect, start, height }: RowProps) {
  const { id, level, entry, node } = row
  const { mark, tone } = lookOf(row)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree listens for keys
    <div
      id={`row-${id}`}
      role="treeitem"
      aria-level={level}
      aria-selected={isSelected}
      className={node === null ? 'leaf' : ''}
      onClick={() => onSelect(id)}
      style={{ transform: `translateY(${start}px)`, height, paddingLeft: 10 + (level - 1) * 20 }}
    >
      <span className={tone} aria-hidden="true">
        {mark}
      </span>
      <span className="idea">{ideaText(entry.idea_path)}</span>
      {isBest && <span className="tag good">best</span>}
      <span className="why soft cut">{id === 'root' ? '' : promotionText(entry)}</span>
      <b className="number">{scoreText(entry.score, entry.spread)}</b>
    </div>
  )
}

function lookOf({ entry, node }: TreeRow): { mark: string; tone: string } {
  if (entry.task_state === 'failed') return { mark: '✗', tone: 'bad' }
  if (entry.task_state === 'running') return { mark: '▸', tone: 'live' }
  if (entry.task_state === 'queued') return { mark: '◌', tone: 'mute' }
  return node === null ? { mark: '○', tone: 'mute' } : { mark: '●', tone: 'good' }
}
