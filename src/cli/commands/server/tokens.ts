import { problem, refuse } from '../../../problem.ts'
import { TokenFile } from '../../../server/tokens/token-store.ts'
import { safeLine } from '../../../text/safe.ts'
import { call, Flag, flag, ONE_OBJECT } from '../../command-line/command.ts'
import { durationUpTo, filled } from '../../command-line/flag-values.ts'
import { serverHome } from '../../inputs/settings-layers.ts'
import type { Done } from '../../refusal.ts'
import { lookOf, type Surroundings } from '../../surroundings.ts'
import { tableLines } from '../../terminal/table.ts'

const SCOPES = ['read', 'run', 'admin', 'worker'] as const
/** Ten years. */
const MOST_MS = 3_650 * 86_400_000
const HELP = `
A token of the scope read sees everything, run also starts and cancels runs, admin also lands, and manages tokens and projects. One of
the scope worker is for \`espalier worker\` alone: it gets tasks and nothing else.
Tokens are kept as hashes in ~/.config/espalier/server/tokens.json. A server notices changes at once.

Exit status: 0, or 2 if there is no such token.

Examples:
  espalier tokens create ci --scope run --expires 90d
  espalier tokens
  espalier tokens revoke ci`

export const commands = {
  list: call({ json: ONE_OBJECT }, HELP, (here) =>
    withTokens(here, async (file) => {
      const tokens = file.tokens().map(({ hash: _, ...token }) => token)
      const rows = tokens.map(({ id, name, scope, kind, createdAt, expiresAt }) => {
        const times = `${day(createdAt)}${expiresAt === null ? '' : ` until ${day(expiresAt)}`}`
        return [id, safeLine(name), scope, kind, times]
      })
      const none = 'no tokens yet: `espalier serve` makes one, and `espalier tokens create NAME`'
      return { json: { tokens }, lines: tableLines(null, rows, lookOf(here)), none }
    }),
  ),
  create: call(
    {
      scope: new Flag<(typeof SCOPES)[number]>('--scope <scope>', 'what it may do').choices(SCOPES).default('read'),
      expires: flag('--expires <time>', 'until when it works (12h, 30d)', durationUpTo(MOST_MS)),
      json: ONE_OBJECT,
    },
    HELP,
    (here, { scope = 'read', expires }, name: string) =>
      withTokens(here, async (file) => {
        const added = await file.add({ name: safeLine(name), scope, expiresInMs: expires })
        const { hash: _, ...token } = added.token
        here.err.write('this is shown only once: keep it where only its program can read it\n')
        return { json: { ...token, secret: added.secret }, lines: [added.secret] }
      }),
    { args: ['what it is for'], also: (create) => create.registeredArguments[0]?.argParser(filled('NAME')) },
  ),
  revoke: call(
    { json: ONE_OBJECT },
    HELP,
    (here, _, token: string) =>
      withTokens(here, async (file) => {
        const gone = await file.revoke(token)
        if (!gone) return refuse(`there is no token ${token}: \`espalier tokens\` lists them`)
        return { json: { revoked: gone.id, name: gone.name }, lines: [`revoked ${gone.id} (${safeLine(gone.name)})`] }
      }),
    { args: ['its id or name'] },
  ),
}

async function withTokens(surroundings: Surroundings, use: (file: TokenFile) => Promise<Done>): Promise<Done> {
  try {
    return await use(new TokenFile(serverHome(surroundings)))
  } catch (error) {
    if (!(error instanceof Error && 'problems' in error)) throw error
    return refuse(problem(error.message))
  }
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
