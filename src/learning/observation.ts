// Something seen once, on its way to becoming a lesson.
import { createHash } from 'node:crypto'
import type { Evidence, Lesson } from '../lesson.ts'

export type Observation = Pick<Lesson, 'domain' | 'kind' | 'text' | 'paths'> & {
  /** What makes two observations the same, within their domain and kind. */
  key: string
  evidence: Evidence
  /** How far one sight of it is to be trusted. */
  trust: number
}

export function lessonId({ domain, kind, key }: Pick<Observation, 'domain' | 'kind' | 'key'>): string {
  return createHash('sha256')
    .update(JSON.stringify([domain, kind, key]))
    .digest('hex')
    .slice(0, 10)
}
