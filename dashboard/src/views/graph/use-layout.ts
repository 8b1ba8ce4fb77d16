// The layout of what is to be drawn: in a worker, so that the page never stands still. A file has none, and needs none.
import { useEffect, useMemo, useState } from 'react'
import { STATUS_TONE } from '../../shared.ts'
import { useRun } from '../run/run-context.ts'
import type { Folded } from './fold.ts'
import { type Layout, type LayoutRequest, layOut } from './layout.ts'

let keys = 0

export function useLayout({ ids, groups, edges }: Folded) {
  const [layout, setLayout] = useState<Layout | null>(null)
  useEffect(() => start({ key: ++keys, ids, groups: [...groups.keys()], edges }, setLayout), [ids, groups, edges])
  return { layout: useToned(layout, groups), isBusy: layout === null }
}

function start(request: LayoutRequest, take: (layout: Layout) => void): () => void {
  if (import.meta.env.MODE === 'report') {
    take(layOut(request))
    return () => {}
  }
  const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<Layout>) => {
    take(data)
    worker.terminate()
  }
  worker.postMessage(request)
  return () => worker.terminate()
}

/** With the colours of the small map. */
function useToned(layout: Layout | null, groups: Folded['groups']): Layout | null {
  const { state } = useRun()
  const { byId } = state
  return useMemo(() => {
    if (!layout) return null
    const toneOf = (id: string) => {
      const first =
        groups.get(id)?.tasks.find((task) => byId.get(task)?.status !== 'landed') ?? groups.get(id)?.tasks[0]
      const status = byId.get(first ?? id)?.status
      return status && STATUS_TONE[status]
    }
    return {
      ...layout,
      nodes: layout.nodes.map((node) => {
        const tone = toneOf(node.id)
        return tone === undefined || tone === node.data.tone ? node : { ...node, data: { tone } }
      }),
    }
  }, [layout, groups, byId])
}
