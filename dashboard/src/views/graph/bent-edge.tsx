// An edge along the bends of the layout.
import { BaseEdge, type EdgeProps } from '@xyflow/react'
import { useGraph } from './graph-context.ts'
import type { Layout } from './layout.ts'

export function BentEdge({ id, data }: EdgeProps) {
  const { path, isAfter } = data as Layout['edges'][number]['data']
  const isHot = useGraph().hot.has(id)
  return <BaseEdge path={path} className={`${isHot ? 'hot' : ''}${isAfter ? ' after' : ''}`} interactionWidth={0} />
}
