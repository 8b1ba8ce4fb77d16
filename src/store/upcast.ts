// Every event is written with the version of the journal's language; an older one is brought up to date when it is read.
// A step is added here whenever a fact that may be in a journal changes its shape or meaning. One event stays one event.

export type RawFact = Record<string, unknown>

export type UpcastStep = (fact: RawFact) => RawFact

/** The first leads from version 1 to 2. */
export const UPCASTS: readonly UpcastStep[] = []

export function journalVersion(steps: readonly UpcastStep[] = UPCASTS): number {
  return steps.length + 1
}

/** `version`: the one that wrote it, not newer than ours. */
export function upcast(fact: RawFact, version: number, steps: readonly UpcastStep[] = UPCASTS): RawFact {
  return steps.slice(version - 1).reduce((older, step) => step(older), fact)
}
