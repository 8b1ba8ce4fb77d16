// The landings of a run, by the first-parent chain of its branch, which is the engine's alone.

import { type EngineRepository, inEngine } from '../engine/engine-repository.ts'
import { readRef } from '../engine/ref-file.ts'
import { gitRecords } from '../run/git.ts'
import { readable } from '../run/path-bytes.ts'
import { type TaskAttempt, tasksOf } from './commit-message.ts'

/** Landings on `ref` since `onto`, oldest first. */
export async function findLanded(
  engine: EngineRepository,
  { ref, onto, run }: { ref: string; onto: string; run: string },
) {
  const head = readRef(engine, ref)
  if (head === null || head === onto) return []
  const chain = await chainOf(engine, '%H%n%B', `${onto}..${head}`)
  return chain.flatMap((record) => {
    const { commit, tasks } = landedIn(record, run)
    return tasks === null ? [] : [{ commit, tasks }]
  })
}

/**
 * Tasks of the commits after `base` up to `head` that changed one of the paths, in the order in which they landed. For
 * people: doubtful tasks are left out, and paths that are not UTF-8 are not found.
 */
export async function tasksThatChanged(
  engine: EngineRepository,
  { run, base, head, paths }: { run: string; base: string; head: string; paths: readonly string[] },
): Promise<string[]> {
  const range = `${base}..${head}`
  const asked = paths.slice(0, MOST_PATHS).map((path) => `:(literal)${path}`)
  const [all, changing] = await Promise.all([
    chainOf(engine, '%H%n%B', range),
    chainOf(engine, '%H', range, '--', ...asked),
  ])
  const changes = new Set(changing)
  const tasks = new Set<string>()
  let isMeant = false
  for (const record of all) {
    const landed = landedIn(record, run)
    isMeant ||= changes.has(landed.commit)
    // If several commits landed as they were, the last one names the task.
    if (landed.tasks === null) continue
    if (isMeant) for (const { task } of landed.tasks) tasks.add(task)
    isMeant = false
  }
  return [...tasks]
}

const MOST_PATHS = 100

async function chainOf(engine: EngineRepository, format: string, ...range: string[]): Promise<string[]> {
  const log = ['log', '-z', '--first-parent', '--reverse', '--no-show-signature', `--format=${format}`]
  return (await gitRecords([...log, ...range], inEngine(engine))).map(readable)
}

/** `tasks` null: the commit is no landing of the run. */
function landedIn(record: string, run: string): { commit: string; tasks: TaskAttempt[] | null } {
  const [commit = '', ...message] = record.split('\n')
  return { commit, tasks: tasksOf(message.join('\n'), run) }
}
