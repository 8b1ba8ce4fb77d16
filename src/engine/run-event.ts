import type { Event } from '../event.ts'

/** Every event of the journal and, not journalled, what agents say while they work and what the plan file does not say. */
export type RunEvent = Event | Progress | Unwritten

export type Progress = { type: 'attempt.progress'; task: string; attempt: number; at: number; message: string }

/** What could not be written back into the plan file. */
export type Unwritten = { type: 'plan-file.unwritten'; at: number; message: string }
