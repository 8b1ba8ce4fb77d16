// What whoever does the decisions of a run tells it.
import type { Fact } from '../event.ts'

export type Telling = {
  fact(fact: Fact): void
  /** What an agent says while it works. */
  progress(task: string, attempt: number, message: string): void
  /** The machine does not let it go on; what is under way can be taken up later. */
  stuck(message: string): void
  bug(error: unknown): void
}
