// What the views of a project ask for. Lists have keys that begin with `runs`, so they are asked for again whenever something
// happens in a run (data/live.ts); what is dear to make is asked for every few seconds while its run is at work.
import { useQuery } from '@tanstack/react-query'
import type { Answer, Given } from '../shared.ts'
import { useData } from './source.ts'

const LIVE_MS = 3_000

type ListedRun = Answer<'runs.list'>['items'][number]

/** Asked for again when the run stands otherwise, and while it is at work. */
function freshness(run: ListedRun | null) {
  return { mark: [run?.status, run?.lastAt], refetchInterval: run?.engine ? LIVE_MS : (false as const) }
}

export function useClaims(project: string) {
  const { client, recording } = useData()
  return useQuery({
    queryKey: ['claims', project],
    queryFn: () => client.claims.list({ project }),
    refetchInterval: recording ? false : LIVE_MS,
  })
}

export function useWorkers(project: string) {
  const { client } = useData()
  return useQuery({
    queryKey: ['workers', project],
    queryFn: () => client.workers.list({ project }),
    refetchInterval: ({ state }) => (state.data?.none ? false : WORKERS_MS),
  })
}

/** They send a sign of life every few seconds. */
const WORKERS_MS = 5_000

export function usePlanFiles(project: string) {
  const { client } = useData()
  return useQuery({
    queryKey: ['plans', project],
    queryFn: async () => (await client.plans.list({ project })).items,
    staleTime: 30_000,
  })
}

export type PlanInput = NonNullable<Given<'plans.check'>['plan']>

/** Null: nothing is chosen. */
export function usePlanCheck(project: string, plan: PlanInput | null) {
  const { client } = useData()
  return useQuery({
    queryKey: ['plan-check', project, plan],
    queryFn: ({ signal }) => client.plans.check({ project, ...asked(plan) }, { signal }),
    enabled: plan !== null,
    staleTime: 5_000,
    gcTime: 60_000,
  })
}

export function usePlanOverview(project: string, plan: PlanInput | null) {
  const { client } = useData()
  return useQuery({
    queryKey: ['plan-show', project, plan],
    queryFn: ({ signal }) => client.plans.show({ project, ...asked(plan) }, { signal }),
    enabled: plan !== null,
    staleTime: 5_000,
    gcTime: 60_000,
  })
}

export function useSimulation(project: string, plan: PlanInput | null) {
  const { client } = useData()
  return useQuery({
    queryKey: ['plan-simulate', project, plan],
    queryFn: ({ signal }) => client.plans.simulate({ project, ...asked(plan), workers: WORKERS }, { signal }),
    enabled: plan !== null,
    staleTime: 5_000,
    gcTime: 60_000,
  })
}

/** What the slider stops at: as many as the server simulates at once. */
export const WORKERS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32, 40, 48, 64]

function asked(plan: PlanInput | null): { plan?: PlanInput } {
  return plan === null ? {} : { plan }
}

export function useSuiteRuns(project: string) {
  const { client } = useData()
  return useQuery({
    queryKey: ['runs', project, 'suites'],
    queryFn: async () => (await client.runs.list({ project, kind: 'suite', limit: 100 })).items,
  })
}

export function useSuite(project: string, run: string, listed: ListedRun | null) {
  const { client } = useData()
  const { mark, refetchInterval } = freshness(listed)
  return useQuery({
    queryKey: ['suite', project, run, listed?.engine ? 'live' : mark],
    queryFn: () => client.suites.get({ project, run }),
    enabled: run !== '',
    placeholderData: (before) => before,
    refetchInterval,
  })
}

/** `limit`: results of each entry, the newest. `newest`: results come with the end of a run. */
export function useSuiteHistory(project: string, limit: number, newest: ListedRun | null) {
  const { client } = useData()
  return useQuery({
    queryKey: ['suite-history', project, limit, newest?.run, newest?.status],
    queryFn: async () => (await client.suites.history({ project, limit })).entries,
    placeholderData: (before) => before,
  })
}

export function useSearchRuns(project: string) {
  const { client } = useData()
  return useQuery({
    queryKey: ['runs', project, 'searches'],
    queryFn: async () => (await client.runs.list({ project, kind: 'search', limit: 100 })).items,
  })
}

export function useSearch(project: string, run: string, listed: ListedRun | null) {
  const { client } = useData()
  const { mark, refetchInterval } = freshness(listed)
  return useQuery({
    queryKey: ['search', project, run, listed?.engine ? 'live' : mark],
    queryFn: () => client.searches.get({ project, run }),
    enabled: run !== '',
    placeholderData: (before) => before,
    refetchInterval,
  })
}

/** What differs between the files of two nodes or evals; commits never change. */
export function useNodeDiff(project: string, run: string, sides: { a: string; b: string } | null) {
  const { client } = useData()
  return useQuery({
    queryKey: ['search-diff', project, run, sides],
    queryFn: () => client.searches.compare({ project, run, a: sides?.a ?? '', b: sides?.b ?? '', patch: true }),
    enabled: sides !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
