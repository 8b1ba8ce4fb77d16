// Lands work on the run's branch: one move of the branch, by compare-and-swap, for a whole batch.
//
// Properties: landings of a run are serialized by the scheduler. A task lands at most once (I3): if the branch is not
// where the journal says, the commits on it are asked first what is already among them. That is the case after a crash
// between moving the branch and recording it.

import { setTimeout as wait } from 'node:timers/promises'
import type { Fact } from '../event.ts'
import type { Failure } from '../failure.ts'
import { runBranch } from '../git/engine/refs.ts'
import type { EngineRepository } from '../git/engine/repository.ts'
import { findLanded, moveBranch } from '../git/landing/merge-onto.ts'
import { GitFailure } from '../git/run/git.ts'
import { isMachineTrouble, machineTroubleText } from '../git/run/machine-trouble.ts'
import { type BuildBatch, buildBatch } from './build.ts'

export async function landBatch(request: BuildBatch): Promise<Fact[]> {
  const { engine, run, items, onto } = request
  const built = await buildBatch(request)
  const landed = await landItems({
    engine,
    run,
    onto,
    items: built.items.map(({ item, tasks, commit }) => ({ tasks, commit, attempts: item.tasks })),
  })
  const isAll = built.items.length + built.refused.length === items.length && landed.length === built.items.length
  return [...built.refused, ...landed, ...(isAll ? [] : [nothingMore(onto)])]
}

export type LandItems = {
  engine: EngineRepository
  run: string
  items: { tasks: string[]; commit: string; attempts: { id: string; attempt: number }[] }[]
  onto: string
}

export async function landItems(request: LandItems): Promise<Fact[]> {
  const { engine, run, items, onto } = request
  const last = items.at(-1)
  if (!last) return []
  const move = await moveBranch(engine, { ref: runBranch(run), to: last.commit, from: onto })
  switch (move.kind) {
    case 'moved':
      return items.map(({ tasks, commit }, n) => landedFact(tasks, commit, items[n - 1]?.commit ?? onto))
    case 'elsewhere': {
      const landed = await alreadyLanded(request)
      if (landed.length > 0) return landed
      const failure = movedAway(request, move.actual)
      return items.map(({ tasks }): Fact => ({ type: 'landing.refused', tasks, onto, failure, retry: false }))
    }
    case 'locked':
      // Git has waited for it already; see `landAgain`.
      throw new GitFailure(['update-ref'], null, move.message)
    default:
      return move satisfies never
  }
}

async function alreadyLanded({ engine, run, items, onto }: LandItems): Promise<Fact[]> {
  const facts: Fact[] = []
  let head = onto
  for (const { commit, tasks } of await findLanded(engine, { ref: runBranch(run), onto, run })) {
    const mine = items.find(({ attempts }) =>
      attempts.every(({ id, attempt }) => tasks.some((one) => one.task === id && one.attempt === attempt)),
    )
    if (!mine) return facts
    facts.push(landedFact(mine.tasks, commit, head))
    head = commit
  }
  return facts
}

function landedFact(tasks: string[], commit: string, onto: string): Fact {
  return { type: 'landing.landed', tasks, commit, onto }
}

function nothingMore(onto: string): Fact {
  return { type: 'landing.built', items: [], onto }
}

function movedAway({ engine, run, onto }: LandItems, actual: string | null): Failure {
  const where = actual === null ? 'is gone' : `is at ${actual.slice(0, 12)}`
  const message = `something else has moved the branch of run ${run} in ${engine.gitDir}: it ${where} and should be at ${onto.slice(0, 12)}. The work is kept as a ref; run its task again in a new run`
  return { reason: 'landing-refused', message }
}

// Landing with patience: a disk that is full, a git that hangs or a lock that stays is tried again a few times. The
// journal says that the landing is under way, so whoever gives up loses nothing: the next engine takes it up.

export type Landing = { ok: true; facts: Fact[] } | { ok: false; message: string }

export async function landAgain(land: () => Promise<Fact[]>, waitsMs: readonly number[] = WAITS_MS): Promise<Landing> {
  for (let tries = 0; ; tries++) {
    try {
      return { ok: true, facts: await land() }
    } catch (error) {
      if (!isMachineTrouble(error)) throw error
      const pause = waitsMs[tries]
      if (pause === undefined) return { ok: false, message: machineTroubleText(error) }
      await wait(pause)
    }
  }
}

const WAITS_MS = [250, 1_000, 3_000]
