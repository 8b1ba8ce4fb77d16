// Decides from heartbeats which workers joined and which are lost.
import type { FleetHost } from '../attempt/attempt-order.ts'
import type { WorkerOffer } from '../scheduler/dispatch/workers.ts'
import type { WorkerRow } from './fleet-database.ts'
import { FLEET } from './limits.ts'

export class HeartbeatWatch {
  readonly #heard = new Map<string, { beats: number; at: number }>()
  /** Lost workers with their number of heartbeats by then. */
  readonly #lost = new Map<string, number>()

  /** Called when the database did not answer: workers may have sent heartbeats meanwhile. */
  forget(): void {
    this.#heard.clear()
  }

  look(
    rows: readonly WorkerRow[],
    known: ReadonlyMap<string, WorkerOffer>,
    now: number,
  ): Parameters<FleetHost['tell']>[0][] {
    const facts: Parameters<FleetHost['tell']>[0][] = []
    const byName = new Map(rows.map((row) => [row.name, row]))
    for (const name of known.keys()) {
      const row = byName.get(name)
      const heard = this.#heard.get(name)
      if (!row || row.hasLeft) facts.push({ type: 'worker.lost', worker: name, why: 'it left' })
      else if (!heard || heard.beats !== row.beats) this.#heard.set(name, { beats: row.beats, at: now })
      else if (now - heard.at >= FLEET.lostAfterMs) {
        this.#lost.set(name, row.beats)
        const seconds = Math.round(FLEET.lostAfterMs / 1_000)
        facts.push({ type: 'worker.lost', worker: name, why: `no sign of life for ${seconds} s` })
      }
    }
    for (const row of rows) {
      const { name, slots, labels, resources } = row
      const isLost = this.#lost.get(name) === row.beats
      if (row.hasLeft || isLost || (!known.has(name) && row.silentMs > FLEET.lostAfterMs)) continue
      const offer = known.get(name)
      if (offer && isSame(offer, row)) continue
      if (facts.some((fact) => fact.worker === name)) continue
      this.#lost.delete(name)
      this.#heard.set(name, { beats: row.beats, at: now })
      facts.push({ type: 'worker.joined', worker: name, slots, labels, resources })
    }
    return facts
  }
}

function isSame(offer: WorkerOffer, { slots, labels, resources }: WorkerRow): boolean {
  const text = (one: WorkerOffer) => JSON.stringify([one.slots, one.labels, Object.entries(one.resources).sort()])
  return text(offer) === text({ slots, labels, resources })
}
