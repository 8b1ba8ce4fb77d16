// What views ask for, each under one key. A view never calls the client to read.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Refused } from 'espalier/client'
import type { Answer, Plan, TaskView } from '../shared.ts'
import { useData } from './source.ts'

export type RunNow = Answer<'runs.get'>
export type RunRef = { project: string; run: string }
export type TaskRef = RunRef & { task: string }

/** All of a run that changes while it runs, as one value: `byId` holds what `order` names. */
export type RunState = {
  run: RunNow
  /** In the order of the plan. */
  order: readonly string[]
  byId: ReadonlyMap<string, TaskView>
  /** Of the feed: what has changed since can be asked for. */
  cursor: number
}

export const keys = {
  server: ['server'] as const,
  projects: ['projects'] as const,
  runs: (project: string) => ['runs', project] as const,
  run: ({ project, run }: RunRef) => ['run', project, run] as const,
  ofRun: ({ project, run }: RunRef, what: string) => ['run', project, run, what] as const,
  ofTask: ({ project, run, task }: TaskRef, what: string, ...more: (string | number)[]) =>
    ['run', project, run, 'task', task, what, ...more] as const,
}

export function useServer() {
  const { client } = useData()
  return useQuery({ queryKey: keys.server, queryFn: () => client.server.get({}), staleTime: 60_000 })
}

/** Whether this browser may do what needs the scope. */
export function useMay(scope: 'run' | 'admin'): boolean {
  const { data } = useServer()
  return data?.token.scope === 'admin' || data?.token.scope === scope
}

export function useProjects() {
  const { client, recording } = useData()
  return useQuery({
    queryKey: keys.projects,
    queryFn: async () => (await client.projects.list({})).items,
    refetchInterval: recording ? false : 10_000,
  })
}

export function useRuns(project: string) {
  const { client, recording } = useData()
  return useQuery({
    queryKey: keys.runs(project),
    queryFn: async () => (await client.runs.list({ project, limit: 200 })).items,
    // An engine that dies says nothing.
    refetchInterval: recording ? false : 10_000,
  })
}

export function useRunState(ref: RunRef): UseQueryResult<RunState> {
  const { client } = useData()
  return useQuery({
    queryKey: keys.run(ref),
    queryFn: async () => stateOf(await client.runs.changes(ref)),
    staleTime: Number.POSITIVE_INFINITY, // data/live.ts keeps it current
    refetchOnWindowFocus: false,
    structuralSharing: false,
  })
}

export function stateOf({ run, tasks, cursor }: Answer<'runs.changes'>): RunState {
  return { run, order: tasks.map(({ id }) => id), byId: new Map(tasks.map((task) => [task.id, task])), cursor }
}

/** What is not named in `order` makes it ask for all of it again: see data/live.ts. */
export function merged(state: RunState, { run, tasks, cursor }: Answer<'runs.changes'>): RunState {
  if (tasks.length === 0) return { ...state, run, cursor }
  const byId = new Map(state.byId)
  for (const task of tasks) byId.set(task.id, task)
  return { ...state, run, byId, cursor }
}

export function usePlan(ref: RunRef) {
  const { client } = useData()
  return useQuery<Plan>({
    queryKey: keys.ofRun(ref, 'plan'),
    queryFn: () => client.runs.plan(ref),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Dear on a large run, so asked for every few seconds at most, and at once where the run stands otherwise than before. */
function useOften<T>(ref: RunRef, what: string, run: Stand | null, read: () => Promise<T>) {
  const { recording } = useData()
  const { status, engine, counts } = run ?? {}
  const stand = [status, engine?.pid, counts?.failed, counts?.conflict]
  return useQuery({
    queryKey: [...keys.ofRun(ref, what), ...stand],
    queryFn: read,
    placeholderData: (before) => before,
    refetchInterval: recording || !engine ? false : OFTEN_MS,
    staleTime: OFTEN_MS,
  })
}

type Stand = Pick<RunNow, 'status' | 'engine' | 'counts'>

const OFTEN_MS = 4_000

/** The report as data. */
export function useSummary(ref: RunRef, run: RunNow | null) {
  const { client } = useData()
  return useOften(ref, 'summary', run, () => client.runs.summary(ref))
}

export function useNextSteps(ref: RunRef, run: RunNow) {
  const { client } = useData()
  return useOften(ref, 'next', run, () => client.runs.next(ref))
}

/** What is to come, by the estimates; null where no engine works on it, except in a simulation. */
export function useForecast(ref: RunRef, run: Stand): Answer<'runs.forecast'> | null {
  const { client, recording } = useData()
  const isKnown = recording ? recording.kind === 'simulation' : run.engine !== null
  const { data } = useOften(ref, 'forecast', run, async () => (isKnown ? client.runs.forecast(ref) : null))
  return isKnown ? (data ?? null) : null
}

/** Null where there is none: an attempt without work, a prompt that was never made. */
export function useTaskText(ref: TaskRef, what: 'prompt' | 'transcript' | 'log' | 'diff', options: TextOptions) {
  const { client } = useData()
  const { attempt, landed, isOpen } = options
  return useQuery({
    queryKey: keys.ofTask(ref, what, attempt ?? 0, landed ? 'landed' : 'own', isOpen ? 'open' : 'over'),
    queryFn: async () => {
      try {
        const which = { ...ref, ...(attempt === undefined ? {} : { attempt }) }
        if (what === 'diff') return await client.tasks.diff({ ...which, ...(landed ? { landed } : {}) })
        return await client.tasks[what](which)
      } catch (error) {
        if (error instanceof Refused && (error.status === 404 || error.status === 409)) return null
        throw error
      }
    },
    staleTime: isOpen ? 2_000 : Number.POSITIVE_INFINITY,
  })
}

type TextOptions = { attempt?: number | undefined; landed?: boolean; isOpen: boolean }
