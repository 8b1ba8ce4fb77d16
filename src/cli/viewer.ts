// What a run looks like from outside while it goes on. Three views: live in a terminal, plain lines in a pipe, JSON.
import type { RunEvent } from '../index.ts'

export interface Viewer {
  /** `news` is false for what was already in the journal when this process came. */
  event(event: RunEvent, news: boolean): void
  /** Something the person should read now, such as what Ctrl-C did. */
  note(text: string): void
  close(): void
}
