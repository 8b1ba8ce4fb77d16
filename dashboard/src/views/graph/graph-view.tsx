// The tasks of a run as a graph: what is needed first on the left, the longest chain as a heavy line, large plans folded.
import '@xyflow/react/dist/base.css'
import './graph.css'
import { Background, Controls, MiniMap, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useKeys } from '../../app/keyboard.ts'
import { useQueryWord } from '../../app/router.ts'
import { OPEN } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'
import { BentEdge } from './bent-edge.tsx'
import { chainOf } from './chain.ts'
import { defaultFold, FOLDS, type Fold, foldGraph } from './fold.ts'
import { GraphContext } from './graph-context.ts'
import { hotEdges } from './junctions.ts'
import type { Layout } from './layout.ts'
import { GroupNode, JunctionNode, TaskNode } from './nodes.tsx'
import { useLayout } from './use-layout.ts'

export default function GraphView() {
  return (
    <ReactFlowProvider>
      <Graph />
    </ReactFlowProvider>
  )
}

const NODE_TYPES = { task: TaskNode, group: GroupNode, junction: JunctionNode }
const EDGE_TYPES = { bent: BentEdge }
/** Below this many nodes all of them are kept in the page: moving about is smoother. */
const ALWAYS_DRAWN = 250
/** Of more nodes nothing can be read where all are shown, and drawing them takes seconds: what is at work is shown first. */
const READABLE = 600
const START_ZOOM = 0.8
/** The small map of more nodes is slow, and a grey area. */
const MOST_MAPPED = 3_000
const MOVE_MS = 200

function Graph() {
  const { tasks, plan, place, openTask } = useRun()
  const [foldWord, setFold] = useQueryWord('fold')
  const [words, setWords] = useQueryWord('find')
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [cursor, setCursor] = useState<string | null>(place.task)
  const field = useRef<HTMLInputElement>(null)
  const { fitView, setCenter, getNode, zoomIn, zoomOut } = useReactFlow()
  const order = useShape(tasks, plan)
  const fold = (FOLDS.find((one) => one === foldWord) ?? defaultFold(order)) as Fold
  const folded = useMemo(() => foldGraph(order, fold, opened), [order, fold, opened])
  const chain = useMemo(() => chainOf(tasks, plan), [tasks, plan])
  const { layout, isBusy } = useLayout(folded)
  const found = useMemo(() => matches(order, words), [order, words])
  const size = layout?.nodes.length ?? 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another graph is drawn
  useEffect(() => {
    if (!layout) return
    const first = startOf(tasks, folded.groupOf)
    const start = size > READABLE ? layout.nodes.find(({ id }) => id === first) : undefined
    requestAnimationFrame(() => {
      if (start) void setCenter(start.position.x + 400, start.position.y + 24, { zoom: START_ZOOM, duration: 0 })
      else void fitView({ padding: 0.08, maxZoom: 1, duration: 0 })
    })
  }, [layout?.key, fitView])

  const show = useCallback(
    (task: string) => {
      const node = getNode(task) ?? getNode(folded.groupOf.get(task) ?? '')
      if (node) void setCenter(node.position.x + 110, node.position.y + 24, { zoom: 1, duration: MOVE_MS })
    },
    [getNode, setCenter, folded],
  )
  const move = (direction: 'before' | 'behind' | 'up' | 'down') => {
    const next = folded.neighbour(cursor ?? place.task, direction, layout)
    if (next === null) return
    setCursor(next)
    show(next)
    setTimeout(() => document.querySelector<HTMLElement>('.node.cursor')?.focus({ preventScroll: true }), MOVE_MS + 20)
    if (place.task !== null && !folded.groups.has(next)) openTask(next, place.part ?? undefined)
  }
  const unfold = useCallback((group: string) => setOpened((before) => toggled(before, group)), [])
  useKeys([
    { keys: 'ArrowLeft', what: 'To what it needs', run: () => move('before'), group: 'Graph' },
    { keys: 'ArrowRight', what: 'To what needs it', run: () => move('behind'), group: 'Graph' },
    { keys: 'j', what: 'Next below', run: () => move('down'), group: 'Graph' },
    { keys: 'k', what: 'Next above', run: () => move('up'), group: 'Graph' },
    {
      keys: 'Enter',
      what: 'Open the task, unfold the group',
      run: () => cursor !== null && (folded.groups.has(cursor) ? unfold(cursor) : openTask(cursor)),
      group: 'Graph',
    },
    { keys: '/', what: 'Find tasks', run: () => field.current?.focus(), group: 'Graph' },
    { keys: 'f', what: 'Show all of it', run: () => void fitView({ padding: 0.08, duration: 200 }), group: 'Graph' },
    { keys: '+', what: 'Closer', run: () => void zoomIn(), group: 'Graph' },
    { keys: '-', what: 'Further away', run: () => void zoomOut(), group: 'Graph' },
  ])
  const { groups } = folded
  const hot = useMemo(() => hotOf(layout, chain, folded.groupOf), [layout, chain, folded])
  const context = useMemo(
    () => ({ cursor, found, chain, hot, groups, unfold }),
    [cursor, found, chain, hot, groups, unfold],
  )
  const edges = layout?.edges.length ?? 0
  return (
    <GraphContext value={context}>
      <div className="graph">
        <div className="tools">
          <input
            ref={field}
            type="search"
            placeholder="Find tasks  /"
            aria-label="Find tasks"
            value={words}
            onChange={({ target }) => setWords(target.value)}
            onKeyDown={({ key, currentTarget }) => {
              const [first] = found ?? []
              if (key === 'Enter' && first !== undefined) {
                setCursor(first)
                show(first)
              }
              if (key === 'Enter' || key === 'Escape') currentTarget.blur()
            }}
          />
          {found && <span className="soft">{found.size} found</span>}
          <span className="grow" />
          {chain.length > 1 && (
            <span className="soft">
              <i className="heavy" aria-hidden="true" /> longest chain: {chain.length} tasks
            </span>
          )}
          <label>
            <span className="soft">Fold</span>{' '}
            <select
              value={fold}
              onChange={({ target }) => {
                setOpened(new Set())
                setFold(target.value)
              }}
            >
              <option value="none">nothing</option>
              <option value="epic">epics</option>
              <option value="depth">steps</option>
            </select>
          </label>
        </div>
        <div
          className="canvas"
          role="group"
          aria-label={`Graph of ${tasks.length} tasks: ${size} nodes, ${edges} edges`}
        >
          {isBusy && <p className="busy soft">Laying out …</p>}
          {layout && (
            <ReactFlow
              nodes={layout.nodes}
              edges={layout.edges}
              nodeTypes={NODE_TYPES}
              edgeTypes={EDGE_TYPES}
              nodesDraggable={false}
              nodesConnectable={false}
              nodesFocusable={false}
              edgesFocusable={false}
              elementsSelectable={false}
              onlyRenderVisibleElements={size > ALWAYS_DRAWN}
              minZoom={0.02}
              maxZoom={2}
              deleteKeyCode={null}
              selectionKeyCode={null}
              disableKeyboardA11y
              proOptions={{ hideAttribution: true }}
            >
              <Background gap={22} size={1} />
              <Controls showInteractive={false} />
              {size > 12 && size <= MOST_MAPPED && (
                <MiniMap pannable zoomable nodeColor={({ data }) => `var(--${data.tone ?? 'line'})`} />
              )}
            </ReactFlow>
          )}
        </div>
      </div>
    </GraphContext>
  )
}

/** What is at work, else what comes next. */
function startOf(tasks: ReturnType<typeof useRun>['tasks'], groupOf: ReadonlyMap<string, string>): string {
  const first =
    tasks.find(({ status }) => status === 'running') ?? tasks.find(({ status }) => OPEN.has(status)) ?? tasks[0]
  return groupOf.get(first?.id ?? '') ?? first?.id ?? ''
}

/** The edges along the chain, as far as it is drawn. */
function hotOf(layout: Layout | null, chain: readonly string[], groupOf: ReadonlyMap<string, string>) {
  const shown = [...new Set(chain.map((id) => groupOf.get(id) ?? id))]
  const edges = layout?.edges.map(({ source: from, target: to }) => ({ from, to, kind: 'needs' as const })) ?? []
  return hotEdges(shown, edges)
}

/** The same value as long as no task is added and no edge changes, however often statuses do. */
function useShape(tasks: ReturnType<typeof useRun>['tasks'], plan: ReturnType<typeof useRun>['plan']) {
  const key = useMemo(() => tasks.map(({ id, needs }) => `${id}<${needs.join(',')}`).join(' '), [tasks])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is what counts of the tasks
  return useMemo(() => {
    const after = new Map(plan?.tasks.map((task) => [task.id, task.after]))
    return tasks.map(({ id, title, epic, needs }) => ({ id, title, epic, needs, after: after.get(id) ?? [] }))
  }, [key, plan])
}

function matches(tasks: readonly { id: string; title: string; epic: string | null }[], words: string) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return null
  const fits = tasks.filter(({ id, title, epic }) => {
    const text = `${id} ${title} ${epic ?? ''}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  return new Set(fits.map(({ id }) => id))
}

function toggled(before: ReadonlySet<string>, group: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(group)) after.add(group)
  return after
}
