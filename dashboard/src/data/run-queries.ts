// What single views of a run ask for, besides queries.ts. While an engine works it is asked for again every few seconds; of a
// run that rests, when something has happened.
import { useQuery } from '@tanstack/react-query'
import { keys, type RunNow, type RunRef, type TaskRef } from './queries.ts'
import { useData } from './source.ts'

const LIVE_MS = 2_000

function freshness({ engine, lastAt }: RunNow) {
  return { mark: engine ? 'live' : (lastAt ?? 0), refetchInterval: engine ? LIVE_MS : (false as const) }
}

export function useQueue(ref: RunRef, run: RunNow) {
  const { client } = useData()
  const { mark, refetchInterval } = freshness(run)
  return useQuery({
    queryKey: [...keys.ofRun(ref, 'queue'), mark],
    queryFn: () => client.runs.queue(ref),
    placeholderData: (before) => before,
    refetchInterval,
  })
}

export function useLandings(ref: RunRef, run: RunNow) {
  const { client } = useData()
  const { mark, refetchInterval } = freshness(run)
  return useQuery({
    queryKey: [...keys.ofRun(ref, 'landings'), mark],
    queryFn: async () => (await client.runs.landings({ ...ref, limit: 200 })).items,
    placeholderData: (before) => before,
    refetchInterval,
  })
}

export function useSpending(ref: RunRef, run: RunNow) {
  const { client } = useData()
  const { mark, refetchInterval } = freshness(run)
  return useQuery({
    queryKey: [...keys.ofRun(ref, 'spending'), mark],
    queryFn: () => client.runs.spending(ref),
    placeholderData: (before) => before,
    refetchInterval,
  })
}

/** Also of a run that rests: what it would still cost. */
export function useCostForecast(ref: RunRef, run: RunNow) {
  const { client } = useData()
  const { mark, refetchInterval } = freshness(run)
  return useQuery({
    queryKey: [...keys.ofRun(ref, 'forecast'), mark],
    queryFn: () => client.runs.forecast(ref),
    placeholderData: (before) => before,
    refetchInterval: refetchInterval && 2 * refetchInterval,
  })
}

/** `of`: a task or a commit; '' asks for nothing. */
export function useTrace(ref: RunRef, of: string, run: RunNow) {
  const { client } = useData()
  return useQuery({
    queryKey: [...keys.ofRun(ref, 'trace'), of, run.lastAt ?? 0],
    queryFn: () => client.runs.trace({ ...ref, of }),
    enabled: of !== '',
    staleTime: 10_000,
  })
}

/** `since`: another conflict of the same task is another answer. */
export function useConflict(ref: TaskRef, since: number) {
  const { client } = useData()
  return useQuery({
    queryKey: keys.ofTask(ref, 'conflict', since),
    queryFn: () => client.tasks.conflict(ref),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
