// A status as a shape in a colour; the word beside it, or its title, speaks to those who see neither.
import type { ReactNode } from 'react'
import { STATUS_TONE, type TaskStatus } from '../shared.ts'

export function StatusSign({ status, size = 16 }: { status: TaskStatus; size?: number }) {
  return (
    <svg className={`sign ${STATUS_TONE[status]}`} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[status]}
    </svg>
  )
}

const disc = <circle cx="8" cy="8" r="7" fill="currentColor" />
const ring = <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
const lines = { fill: 'none', strokeLinecap: 'round', strokeLinejoin: 'round' } as const
const on = { ...lines, stroke: 'var(--on)', strokeWidth: 1.8 }
const ink = { ...lines, stroke: 'currentColor', strokeWidth: 1.6 }

const SHAPES: Record<TaskStatus, ReactNode> = {
  landed: (
    <>
      {disc}
      <path d="M4.8 8.3l2.2 2.2 4.3-4.7" {...on} />
    </>
  ),
  passed: (
    <>
      {ring}
      <path d="M5 8.2l2 2 4-4.2" {...ink} />
    </>
  ),
  failed: (
    <>
      <path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" fill="currentColor" />
      <path d="M5.5 5.5l5 5m0-5l-5 5" {...on} />
    </>
  ),
  blocked: (
    <>
      <rect x="2" y="2" width="12" height="12" rx="2.5" fill="currentColor" />
      <path d="M5.2 10.8l5.6-5.6" {...on} />
    </>
  ),
  cancelled: (
    <>
      {ring}
      <path d="M5 8h6" {...ink} />
    </>
  ),
  running: (
    <>
      {disc}
      <path d="M6.3 4.9v6.2L11.2 8z" fill="var(--on)" />
    </>
  ),
  landing: (
    <>
      {ring}
      <path d="M8 11.3v-6M5.4 7.8L8 5.2l2.6 2.6" {...ink} />
    </>
  ),
  conflict: (
    <>
      {ring}
      <path d="M8 4.6v4M8 11.3v.1" {...ink} />
    </>
  ),
  ready: (
    <>
      {ring}
      <circle cx="8" cy="8" r="2.4" fill="currentColor" />
    </>
  ),
  pending: (
    <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.2 2.2" />
  ),
}
