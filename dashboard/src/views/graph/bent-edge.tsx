// An edge along the bends of the layout.
import { BaseEdge, type EdgeProps } from '@xyflow/react'
import type { Layout } from './layout.ts'

export function BentEdge({ data }: EdgeProps) {
  const { path, isHot, isAfter } = data as Layout['edges'][number]['data']
  return <BaseEdge path={path} className={`${isHot ? 'hot' : ''}${isAfter ? ' after' : ''}`} interactionWidth={0} />
}
