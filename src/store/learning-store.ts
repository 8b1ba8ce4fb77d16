// The part of the seam that outlives runs: lessons, what was done to them, and what became of attempts.
//
// Properties
// - `learn` reads, decides and writes in one transaction, so a person who edits a lesson and an engine that has seen it
//   again do not undo each other's change.
// - What a run's journal teaches is learned once: `upTo` is written with it.
// - All of it is bounded: the newest attempts and the newest entries of the audit are kept.
import type { Experience } from '../experience.ts'
import type { Audited, Known, Lesson, LessonChanges } from '../lesson.ts'

export interface LearningStore {
  lessons(): Promise<Lesson[]>
  /** Another number after every change of a lesson: whoever keeps them in memory asks for it first. */
  lessonsVersion(): Promise<number>
  experiences(): Promise<Experience[]>
  /** How many lessons and attempts make no sense and are left out: a file can be damaged. */
  damaged(): Promise<number>
  /** The last event of a run's journal that was learned from; 0: none. */
  learnedUpTo(run: string): Promise<number>
  /** `update` may change what it is given. `memory`: of an earlier call; read again only where a lesson has changed. */
  learn(update: (known: Known) => Learned, memory?: Memory | null): Promise<Memory>
  /** Oldest first; null: of all lessons. */
  audit(lesson: string | null): Promise<Audited[]>
}

export type Memory = { version: number; known: Known }

/** Every lesson that is saved or dropped has an entry in the audit. */
export type Learned = {
  lessons: LessonChanges
  experiences?: Experience[]
  upTo?: { run: string; seq: number }
}
