// The server itself, its tokens and its projects.

import { jsonText } from '../../text/json.ts'
import type { ServerContext } from '../context.ts'
import type { ListedProject } from '../projects/project-file.ts'
import type { RouteName } from '../protocol/paths.ts'
import { PROTOCOL_VERSION } from '../protocol/version.ts'
import type { Token } from '../tokens/token.ts'
import type { Handlers } from './call.ts'
import { give, type JsonReply, refusal, refusedBy } from './reply.ts'

type Names = Extract<RouteName, `${'server' | 'tokens' | 'projects'}.${string}`>

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
