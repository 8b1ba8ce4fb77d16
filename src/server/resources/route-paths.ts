// Name, method and path of every route: the only part of a route that clients load. The rest is in the file of its resource, under
// the same name.
//
// `runs.start` is `client.runs.start(…)` of the client.

const PROJECT = '/api/projects/{project}'
const RUN = `${PROJECT}/runs/{run}`
const TASK = `${RUN}/tasks/{task}`

export const PATHS = {
  'server.get': 'GET /api/server',
  'server.login': 'POST /api/login',
  'server.loginLink': 'POST /api/login-links',

  'tokens.list': 'GET /api/tokens',
  'tokens.revoke': 'DELETE /api/tokens/{token}',

  'projects.list': 'GET /api/projects',
  'plans.list': `GET ${PROJECT}/plans`,
  'plans.check': `POST ${PROJECT}/plans/check`,
  'plans.show': `POST ${PROJECT}/plans/show`,
  'plans.simulate': `POST ${PROJECT}/plans/simulate`,
  'runs.list': `GET ${PROJECT}/runs`,
  'runs.start': `POST ${PROJECT}/runs`,
  'runs.get': `GET ${RUN}`,
  'runs.next': `GET ${RUN}/next`,
  'runs.change': `PATCH ${RUN}`,
  'runs.resume': `POST ${RUN}/resume`,
  'runs.retry': `POST ${RUN}/retry`,
  'runs.cancel': `POST ${RUN}/cancel`,
  'runs.changes': `GET ${RUN}/changes`,
  'runs.plan': `GET ${RUN}/plan`,
  'runs.forecast': `GET ${RUN}/forecast`,
  'runs.queue': `GET ${RUN}/queue`,
  'runs.landings': `GET ${RUN}/landings`,
  'runs.events': `GET ${RUN}/events`,
  'runs.spending': `GET ${RUN}/spending`,
  'runs.summary': `GET ${RUN}/summary`,
  'runs.report': `GET ${RUN}/report`,
  'runs.trace': `GET ${RUN}/trace`,
  'runs.land': `POST ${RUN}/land`,
  'tasks.list': `GET ${RUN}/tasks`,
  'tasks.get': `GET ${TASK}`,
  'tasks.change': `PATCH ${TASK}`,
  'tasks.cancel': `POST ${TASK}/cancel`,
  'tasks.open': `POST ${TASK}/open`,
  'tasks.prompt': `GET ${TASK}/prompt`,
  'tasks.log': `GET ${TASK}/log`,
  'tasks.transcript': `GET ${TASK}/transcript`,
  'tasks.diff': `GET ${TASK}/diff`,
  'tasks.conflict': `GET ${TASK}/conflict`,
  'tasks.openConflict': `POST ${TASK}/conflict`,
  'tasks.answerConflict': `POST ${TASK}/conflict/answer`,

  'suites.start': `POST ${PROJECT}/suites`,
  'suites.get': `GET ${PROJECT}/suites/{run}`,
  'suites.history': `GET ${PROJECT}/suite-history`,

  'searches.start': `POST ${PROJECT}/searches`,
  'searches.get': `GET ${PROJECT}/searches/{run}`,
  'searches.compare': `GET ${PROJECT}/searches/{run}/compare`,

  'claims.list': `GET ${PROJECT}/claims`,
  'claims.check': `POST ${PROJECT}/claims/check`,
  'claims.hold': `POST ${PROJECT}/claims/hold`,
  'claims.release': `POST ${PROJECT}/claims/release`,

  'workers.list': `GET ${PROJECT}/workers`,

  'parallel.start': `POST ${PROJECT}/parallel/start`,
  'parallel.status': `GET ${PROJECT}/parallel/status`,
  'parallel.cancel': `POST ${PROJECT}/parallel/cancel`,
  'parallel.batches': `GET ${PROJECT}/parallel/batches`,
  'parallel.batch': `GET ${PROJECT}/parallel/batches/{batch}`,

  'parallelTest.start': 'POST /api/v1/parallel-test/start',
  'parallelTest.status': 'GET /api/v1/parallel-test/{session}/status',
  'parallelTest.results': 'GET /api/v1/parallel-test/{session}/results',
} as const

export type RouteName = keyof typeof PATHS
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** `{ method: 'GET', path: '/api/projects/{project}', params: ['project'] }` */
export function pathOf(name: RouteName): { method: Method; path: string; params: string[] } {
  const [method, path = ''] = PATHS[name].split(' ')
  return {
    method: method as Method,
    path,
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param as string),
  }
}

/** The path of the WebSocket for events, which is no row of the table. */
export const EVENTS_PATH = '/api/events'
