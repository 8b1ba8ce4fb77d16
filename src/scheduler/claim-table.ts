// The claims held at this moment, and who holds them. At most a few per running or landing unit, so the table is
// small however large the plan is; buckets by first path segment keep a look-up cheap on a large fleet too.
import { bucketOf, type Claim, conflicts } from './claims.ts'

type Held = { holder: number; claim: Claim }

export class ClaimTable {
  readonly #buckets = new Map<string | null, Held[]>()
  readonly #byHolder = new Map<number, Claim[]>()

  /** Who stands in the way of this claim; null if nobody does. */
  blocker(claim: Claim): number | null {
    const bucket = bucketOf(claim)
    const places = bucket === null ? this.#buckets.values() : [this.#buckets.get(bucket), this.#buckets.get(null)]
    for (const place of places) {
      for (const held of place ?? []) {
        if (conflicts(claim, held.claim)) return held.holder
      }
    }
    return null
  }

  hold(holder: number, claims: Claim[]): void {
    this.#byHolder.set(holder, claims)
    for (const claim of claims) {
      const bucket = bucketOf(claim)
      const place = this.#buckets.get(bucket)
      if (place) place.push({ holder, claim })
      else this.#buckets.set(bucket, [{ holder, claim }])
    }
  }

  release(holder: number): void {
    for (const claim of this.#byHolder.get(holder) ?? []) {
      const bucket = bucketOf(claim)
      const rest = (this.#buckets.get(bucket) ?? []).filter((held) => held.holder !== holder)
      if (rest.length > 0) this.#buckets.set(bucket, rest)
      else this.#buckets.delete(bucket)
    }
    this.#byHolder.delete(holder)
  }

  holds(holder: number): boolean {
    return this.#byHolder.has(holder)
  }
}
