// The part of the seam for claims that people hold. They belong to no run: an engine that works compares them with what
// its run knows, so nothing that was written here is missed, and nothing has to be answered.
import type { Hold } from '../claim.ts'

export interface HoldStore {
  /** Those whose time is not over, oldest first. */
  holds(now: number): Promise<Hold[]>
  /** Whoever holds the same glob already holds it until the new end instead. Null: there would be more than `most`. */
  addHolds(holds: readonly Omit<Hold, 'id'>[], now: number, most: number): Promise<Hold[] | null>
  /** Gives back those that were there. */
  removeHolds(ids: readonly number[]): Promise<Hold[]>
}
