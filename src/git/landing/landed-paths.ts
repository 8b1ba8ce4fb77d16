// The tasks whose landed work changed certain paths, for people: doubtful ones are left out.
import { type EngineRepository, inEngine } from '../engine/repository.ts'
import { git } from '../run/git.ts'
import { tasksOf } from './commit-message.ts'

type LandedPaths = {
  run: string
  base: string
  head: string
  /** As people read them; paths that are not UTF-8 are not found. */
  paths: readonly string[]
}

/** Tasks of the run, in the order in which they landed. */
export async function tasksThatChanged(
  engine: EngineRepository,
  { run, base, head, paths }: LandedPaths,
): Promise<string[]> {
  const log = ['log', '-z', '--first-parent', '--reverse', '--no-show-signature']
  const range = `${base}..${head}`
  const asked = paths.slice(0, MOST_PATHS).map((path) => `:(literal)${path}`)
  const [all, changing] = await Promise.all([
    git([...log, '--format=%H%n%B', range], inEngine(engine)),
    git([...log, '--format=%H', range, '--', ...asked], inEngine(engine)),
  ])
  const changes = new Set(changing.stdout.toString('utf8').split('\0'))
  const tasks = new Set<string>()
  let isMeant = false
  for (const record of all.stdout.toString('utf8').split('\0')) {
    const end = record.indexOf('\n')
    isMeant ||= changes.has(record.slice(0, end))
    // Of several commits that landed as they were, the last one names the task.
    const landed = tasksOf(record.slice(end + 1), run)
    if (landed === null) continue
    if (isMeant) for (const { task } of landed) tasks.add(task)
    isMeant = false
  }
  return [...tasks]
}

const MOST_PATHS = 100
