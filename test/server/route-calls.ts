// A call of every route that fits its schema, for tests that try all of them.
import { PATHS, pathOf, type RouteName } from '../../src/server/resources/route-paths.ts'

export const ROUTE_NAMES = Object.keys(PATHS) as RouteName[]

export type RouteCall = { name: RouteName; method: string; path: string; body: string | undefined }

/** What a route needs besides its path. */
const INPUTS: Partial<Record<RouteName, object>> = {
  'server.login': { code: 'no-such-code' },
  'runs.change': { maxConcurrency: 2 },
  'tasks.change': { priority: 1 },
  'searches.start': { search: 'none.yaml' },
  'tasks.answerConflict': { answer: 'give-up' },
  'claims.check': { paths: ['src/a.ts'] },
  'claims.hold': { globs: ['src/**'], name: 'test', forMs: 60_000 },
  'parallelTest.start': { test_plans: [{ plan_file: 'none.md' }] },
}

const QUERIES: Partial<Record<RouteName, string>> = {
  'runs.trace': '?of=a',
  'searches.compare': '?a=root&b=root',
}

export type Named = { project: string; run: string; task: string; batch?: number }

export function callOf(name: RouteName, { project, run, task, batch = 0 }: Named): RouteCall {
  const { method, path } = pathOf(name)
  const words: Record<string, string> = {
    ...{ project, run, task, batch: String(batch) },
    ...{ token: 'nobody00', session: `${project}.${run}` },
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, word: string) => words[word] ?? word)
  const hasBody = method === 'POST' || method === 'PATCH'
  return {
    name,
    method,
    path: `${filled}${QUERIES[name] ?? ''}`,
    body: hasBody ? JSON.stringify(INPUTS[name] ?? {}) : undefined,
  }
}
