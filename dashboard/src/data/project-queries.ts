// What the views of a project ask for. Keys that begin with `runs` are asked for again whenever something happens in a run of
// any project (data/live.ts); what is read by a command of the server is not among them.
import { useQuery } from '@tanstack/react-query'
import type { Given } from '../shared.ts'
import { useData } from './source.ts'

export function useClaims(project: string) {
  const { client, recording } = useData()
  return useQuery({
    queryKey: ['runs', project, 'claims'],
    queryFn: () => client.claims.list({ project }),
    refetchInterval: recording ? false : 5_000,
  })
}

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
    queryFn: async () => (await client.suites.list({ project, limit: 100 })).items,
  })
}

export function useSuite(project: string, run: string | null) {
  const { client } = useData()
  return useQuery({
    queryKey: ['runs', project, 'suite', run],
    queryFn: () => client.suites.get({ project, run: run ?? '' }),
    enabled: run !== null,
  })
}

/** `limit`: results of each entry, the newest. */
export function useSuiteHistory(project: string, limit: number) {
  const { client } = useData()
  return useQuery({
    queryKey: ['runs', project, 'suite-history', limit],
    queryFn: async () => (await client.suites.history({ project, limit })).entries,
    staleTime: 5_000,
  })
}

export function useSearchRuns(project: string) {
  const { client } = useData()
  return useQuery({
    queryKey: ['runs', project, 'searches'],
    queryFn: async () => (await client.searches.list({ project, limit: 100 })).items,
  })
}

export function useSearch(project: string, run: string | null) {
  const { client } = useData()
  return useQuery({
    queryKey: ['runs', project, 'search', run],
    queryFn: () => client.searches.get({ project, run: run ?? '' }),
    enabled: run !== null,
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
