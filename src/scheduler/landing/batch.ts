// The batch of the landing queue: work merged one on top of the other, whose last commit is verified for all of it. Pure.
//
//   the branch ──▶ item ──▶ item ──▶ item ──▶ item       each a commit on top of the one before it
//                         ▲                 ▲
//                       good               bad           the longest part that passed, the shortest that failed
//
// As soon as a part of it has passed, the branch moves there. A batch that failed is frozen and searched: between good and
// bad, a shorter part is verified, until one item is left that makes the difference. That item has to fail several times
// before it is refused: a flaky verification must not cost good work.
//
// The sizes follow from one number, the share of bad work. A batch holds about one bad item, a search cuts where the first
// bad item is as likely before as after. As long as no work was refused, all waiting work is one batch.
import { LIMITS } from '../../config.ts'
import type { Failure, Limits } from '../../event.ts'

type BatchItem = {
  unit: number
  work: string
  /** Merge of its work onto the item before it: the commit that is verified and lands. */
  commit: string
  passed: boolean
  failures: number
  failure: Failure | null
}

export type Verification = {
  number: number
  commit: string
  /** Worker that verifies, and its verification worktree. */
  worker: string
  slot: number
  halting: boolean
  startedAt: number
}

type LandingBatch = ReturnType<typeof emptyBatch>

type Verifying = Limits['landing']

export function emptyBatch() {
  return {
    items: [] as BatchItem[],
    /** Items that are being merged onto `onto`. Without verification they land at once. */
    building: null as { items: { unit: number; work: string }[]; onto: string; verify: boolean } | null,
    moving: null as string | null,
    verifications: [] as Verification[],
    lastVerification: 0,
    /** Units that conflict with an item of the batch, not with landed work: they wait until the batch is shorter. */
    deferred: new Set<number>(),
    landed: 0,
    ejected: 0,
    flakes: 0,
  }
}

/** Length of the leading part that is known to be good. */
export function goodPart({ items }: LandingBatch, { allgreen }: Verifying): number {
  if (!allgreen) return items.findLastIndex((item) => item.passed) + 1
  const open = items.findIndex((item) => !item.passed)
  return open === -1 ? items.length : open
}

export function firstBad({ items }: LandingBatch, good: number): number {
  return items.findIndex((item, index) => index >= good && item.failures > 0)
}

/** The item that makes the batch fail, once it has failed often enough and everything before it has landed. */
export function culprit(batch: LandingBatch, how: Verifying): BatchItem | null {
  const [first] = batch.items
  if (!first || batch.moving !== null || goodPart(batch, how) > 0) return null
  return first.failures > how.reruns ? first : null
}

/** The next item to verify, with all before it; null: no verification is needed, or no slot or window is free for one. */
export function nextToVerify(batch: LandingBatch, how: Verifying, spareSlots: number): BatchItem | null {
  const room = Math.min(how.window, 1 + spareSlots) - batch.verifications.length
  if (room <= 0) return null
  const underWay = new Set(batch.verifications.map((verification) => verification.commit))
  return wanted(batch, how).find((item) => !underWay.has(item.commit)) ?? null
}

function wanted(batch: LandingBatch, how: Verifying): BatchItem[] {
  const { items } = batch
  const good = goodPart(batch, how)
  const bad = firstBad(batch, good)
  if (bad === good) return items.slice(bad, bad + 1).filter((item) => item.failures <= how.reruns)
  if (how.allgreen) return items.slice(good, bad === -1 ? undefined : bad).filter((item) => !item.passed)
  if (bad === -1) return items.slice(Math.max(good, items.length - 1))
  return cuts(bad - good, how.window, badShare(batch)).map((length) => items[good + length - 1] as BatchItem)
}

/** Lengths to verify next in search of the first bad of `length + 1` items; the last item is part of the failed batch. */
function cuts(length: number, window: number, share: number): number[] {
  const parts = Math.min(window, length) + 1
  const isBad = (items: number) => 1 - (1 - share) ** items
  const found = new Set<number>()
  for (let n = 1; n < parts; n++) {
    const items = Math.log(1 - (n / parts) * isBad(length + 1)) / Math.log(1 - share)
    found.add(Math.min(Math.max(1, Math.round(items)), length))
  }
  return [...found]
}

export function isNeedless(batch: LandingBatch, how: Verifying, { commit }: Verification): boolean {
  const index = batch.items.findIndex((item) => item.commit === commit)
  const good = goodPart(batch, how)
  const bad = firstBad(batch, good)
  return index < good || (bad !== -1 && index > bad)
}

export function batchSize(batch: LandingBatch, waiting: number, most: number = LIMITS.batch): number {
  if (batch.ejected === 0) return Math.min(waiting, most)
  const size = Math.min(Math.round(1 / badShare(batch)), most)
  // Taking a much smaller rest along saves a verification of its own.
  return waiting - size < size * SMALL_REST ? Math.min(waiting, most) : size
}

/** Estimated share of bad work, starting from the belief that 1 in 20 is bad. */
function badShare({ landed, ejected }: LandingBatch): number {
  return (PRIOR_BAD + ejected) / (PRIOR_BAD + PRIOR_GOOD + landed + ejected)
}

const PRIOR_BAD = 2
const PRIOR_GOOD = 40
const SMALL_REST = 0.3

/** The items of the batch up to the commit that the branch moves to. */
export function movedPart({ batch }: { batch: LandingBatch }, commit: string): LandingBatch['items'] {
  return batch.items.slice(0, batch.items.findIndex((one) => one.commit === commit) + 1)
}
