// Drives Espalier the way a program would: through the library.

import {
  DEFAULT_SETTINGS,
  openRun,
  type Plan,
  type Run,
  type RunEvent,
  type Settings,
  type Task,
} from '../src/index.ts'
import { workspaceAt } from '../test/rig/workspace-at.ts'

export type Timed = {
  /** Everything, the opening of the run included. */
  totalMs: number
  executeMs: number
  events: RunEvent[]
}

/** Runs the plan to its end. Throws if anything of it failed: a benchmark of failures measures nothing. */
export async function runPlan(repo: string, plan: Plan, settings: Partial<Settings>): Promise<Timed> {
  const start = performance.now()
  await using run = await open(repo, plan, settings)
  const opened = performance.now()
  const events: RunEvent[] = []
  const watching = (async () => {
    for await (const event of run.events()) events.push(event)
  })()
  const result = await run.execute()
  const end = performance.now()
  await watching
  if (result.status !== 'completed')
    throw new Error(`the run is ${result.status}: ${JSON.stringify(result.failures[0] ?? result.counts)}`)
  return { totalMs: end - start, executeMs: end - opened, events }
}

export async function open(repo: string, plan: Plan, settings: Partial<Settings>): Promise<Run> {
  const workspace = await workspaceAt(repo, settings.stateDir)
  const opened = await openRun(workspace, { plan, settings: { ...DEFAULT_SETTINGS, ...settings } })
  if (!opened.ok) throw new Error(opened.problems.map((problem) => problem.message).join('; '))
  return opened.value
}

/** Tasks without needs that each run one command. */
export function commandPlan(commands: readonly string[]): Plan {
  return { name: 'bench', base: null, epics: [], tasks: commands.map((command, n) => newTask(`t${n}`, { command })) }
}

export function newTask(id: string, { command = 'true', ...more }: Partial<Task> & { command?: string } = {}): Task {
  return {
    id,
    title: id,
    epic: null,
    needs: [],
    after: [],
    claims: { write: [], read: [] },
    work: { kind: 'command', command },
    verify: [],
    priority: 0,
    estimateMs: null,
    timeoutMs: 600_000,
    retries: 0,
    land: true,
    isolation: 'task',
    env: {},
    tags: [],
    ...more,
  }
}
