// The server itself, its tokens and its projects.
import { cleanState } from '../../engine/upkeep/clean.ts'
import { jsonText } from '../../text/json.ts'
import type { ServerContext } from '../context.ts'
import type { ListedProject } from '../projects/project-file.ts'
import { PROTOCOL_VERSION } from '../protocol/version.ts'
import type { Token } from '../tokens/token.ts'
import { type Handlers, withProject } from './call.ts'
import { commandJson } from './command-reply.ts'
import { give, giveResult, type JsonReply, refusal, refusedBy } from './reply.ts'

type Names =
  | `server.${'get' | 'login' | 'logout' | 'loginLink'}`
  | `tokens.${'list' | 'create' | 'revoke'}`
  | `projects.${'list' | 'get' | 'add' | 'remove' | 'settings' | 'doctor' | 'clean'}`

export const serverHandlers: Handlers<Names> = {
  'server.get': async ({ context, token }) => {
    const { version, startedAt } = context
    const mine = token && { id: token.id, name: token.name, scope: token.scope }
    return give({ name: 'espalier', version, protocol: PROTOCOL_VERSION, startedAt, token: mine })
  },

  'server.login': async ({ input, context }) => {
    const scope = context.codes.use(input.code, Date.now())
    if (scope === null)
      return refusal('not-authenticated', 'this login link was used before or is too old: make another')
    const { secret } = await context.tokens.add({
      name: 'browser',
      scope,
      kind: 'browser',
      expiresInMs: BROWSER_MS,
    })
    const { name, attributes } = context.cookie
    const cookie = `${name}=${secret}; Max-Age=${BROWSER_MS / 1000}; ${attributes}`
    return { ...give({ scope }), cookie } satisfies JsonReply
  },

  'server.logout': async ({ context, token }) => {
    const isBrowser = token?.kind === 'browser'
    if (isBrowser) await context.tokens.revoke(token.id)
    const { name, attributes } = context.cookie
    return { ...give({ revoked: isBrowser }), cookie: `${name}=; Max-Age=0; ${attributes}` }
  },

  'server.loginLink': async ({ input, context }) => {
    const { code, expiresAt } = context.codes.make(input.scope, Date.now())
    return give({ url: loginUrl(context, code), expiresAt })
  },

  'tokens.list': async ({ context }) => give({ items: context.tokens.tokens().map(withoutHash) }),

  'tokens.create': async ({ input, context }) => {
    const { token, secret } = await context.tokens.add(input)
    return give({ ...withoutHash(token), secret })
  },

  'tokens.revoke': async ({ input, context }) => {
    const revoked = await context.tokens.revoke(input.token)
    return revoked ? give({ revoked: true }) : refusal('not-found', `there is no token ${input.token}`)
  },

  'projects.list': async ({ context }) => {
    const listed = context.projects.list()
    if (!listed.ok) return refusedBy(listed.problems)
    return give({ items: await Promise.all(listed.value.map((one) => shown(context, one))) })
  },

  'projects.get': async ({ input, context }) => {
    const listed = context.projects.list()
    if (!listed.ok) return refusedBy(listed.problems)
    const found = listed.value.find(({ id }) => id === input.project)
    return found ? give(await shown(context, found)) : refusal('not-found', `there is no project ${input.project}`)
  },

  'projects.add': async ({ input, context }) => {
    const added = await context.projects.add(input.repo, input.id)
    return added.ok ? give(await shown(context, added.value)) : refusedBy(added.problems)
  },

  'projects.remove': async ({ input, context }) => {
    const removed = await context.projects.remove(input.project)
    if (!removed.ok) return refusedBy(removed.problems)
    if (removed.value) return give({ removed: true })
    return refusal('not-found', `${input.project} is not in the list of projects`)
  },

  'projects.settings': (call) =>
    withProject(call, (project) => commandJson(call.context, project, ['config', '--json'], call.signal)),

  'projects.doctor': (call) =>
    withProject(call, (project) => commandJson(call.context, project, ['doctor', '--json'], call.signal)),

  'projects.clean': (call) =>
    withProject(call, async ({ workspace, settings }) => {
      const { project: _, ...options } = call.input
      const known = await settings()
      if (!known.ok) return refusedBy(known.problems)
      return giveResult(await cleanState(workspace, { history: known.value.history, ...options }))
    }),
}

const BROWSER_MS = 30 * 24 * 3_600_000

/** Behind a `#`: browsers send that to nobody, so no log has it. */
export function loginUrl({ url }: Pick<ServerContext, 'url'>, code: string): string {
  return `${url}/login#${code}`
}

function withoutHash({ hash: _, ...token }: Token): Omit<Token, 'hash'> {
  return token
}

async function shown({ projects }: ServerContext, { id, repo }: ListedProject) {
  const opened = await projects.get(id)
  if (opened?.ok) {
    const { workspace } = opened.value
    const cursor = String(await opened.value.hub.cursor())
    return { id, repo, stateDir: workspace.folder.root, engine: workspace.engine, cursor, trouble: null }
  }
  const trouble = opened ? (opened.problems[0]?.message ?? jsonText(opened.problems)) : 'it was removed'
  return { id, repo, stateDir: projects.stateDirOf({ id, repo }), engine: null, cursor: '0', trouble }
}
