import type { Event } from '../event.ts'

/** Every event of the journal and, not journalled, what agents say while they work. */
export type RunEvent = Event | Progress

export type Progress = { type: 'attempt.progress'; task: string; attempt: number; at: number; message: string }
