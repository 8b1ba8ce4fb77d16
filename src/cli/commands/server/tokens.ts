import { Option } from 'commander'
import { problem, refuse } from '../../../problem.ts'
import { TokenFile } from '../../../server/tokens/token-file.ts'
import { safeLine } from '../../../text/safe.ts'
import type { Commands } from '../../command-line/calls.ts'
import { duration, filled } from '../../command-line/flag-values.ts'
import { withArguments } from '../../command-line/flags.ts'
import { EXIT } from '../../exit-status.ts'
import { tokensPath } from '../../inputs/server-home.ts'
import type { Done } from '../../refusal.ts'
import { lookOf, type Surroundings } from '../../surroundings.ts'
import { printJson, printLines } from '../../terminal/print.ts'
import { tableLines } from '../../terminal/table.ts'

export const commands: Commands = {
  list: (list, { call }) =>
    list.option('--json', 'print a list as JSON').addHelpText('after', HELP).action(call(listTokens)),
  create: (create, { call }) => {
    withArguments(create, 'what it is for').registeredArguments[0]?.argParser(filled('NAME'))
    create
      .addOption(
        new Option('--scope <scope>', 'what it may do').choices(['read', 'run', 'admin', 'worker']).default('read'),
      )
      .option('--expires <time>', 'until when it works (12h, 30d)', duration)
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP)
      .action(call(createToken))
  },
  revoke: (revoke, { call }) =>
    withArguments(revoke, 'its id or name')
      .option('--json', 'print one JSON object')
      .addHelpText('after', HELP)
      .action(call(revokeToken)),
}

async function listTokens(flags: { json?: boolean }, surroundings: Surroundings): Promise<Done> {
  return withTokens(surroundings, async (file) => {
    const tokens = file.tokens().map(({ hash: _, ...token }) => token)
    if (flags.json) return printJson({ tokens }, surroundings)
    const rows = tokens.map(({ id, name, scope, kind, createdAt, expiresAt }) => {
      const times = `${day(createdAt)}${expiresAt === null ? '' : ` until ${day(expiresAt)}`}`
      return [id, safeLine(name), scope, kind, times]
    })
    if (rows.length > 0) return printLines(tableLines(null, rows, lookOf(surroundings)), surroundings)
    surroundings.err.write('no tokens yet: `espalier serve` makes one, and `espalier tokens create NAME`\n')
    return EXIT.done
  })
}

async function createToken(
  name: string,
  flags: { scope: 'read' | 'run' | 'admin' | 'worker'; expires?: number; json?: boolean },
  surroundings: Surroundings,
): Promise<Done> {
  return withTokens(surroundings, async (file) => {
    const added = await file.add({ name: safeLine(name), scope: flags.scope, expiresInMs: flags.expires })
    const { hash: _, ...token } = added.token
    if (flags.json) printJson({ ...token, secret: added.secret }, surroundings)
    else surroundings.out.write(`${added.secret}\n`)
    surroundings.err.write('this is shown only once: keep it where only its program can read it\n')
    return EXIT.done
  })
}

async function revokeToken(token: string, flags: { json?: boolean }, surroundings: Surroundings): Promise<Done> {
  return withTokens(surroundings, async (file) => {
    const gone = await file.revoke(token)
    if (!gone) return refuse(`there is no token ${token}: \`espalier tokens\` lists them`)
    if (flags.json) return printJson({ revoked: gone.id, name: gone.name }, surroundings)
    surroundings.out.write(`revoked ${gone.id} (${safeLine(gone.name)})\n`)
    return EXIT.done
  })
}

async function withTokens(surroundings: Surroundings, use: (file: TokenFile) => Promise<Done>): Promise<Done> {
  try {
    return await use(new TokenFile(tokensPath(surroundings)))
  } catch (error) {
    if (!(error instanceof Error && 'problems' in error)) throw error
    return refuse(problem(error.message))
  }
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

const HELP = `
A token of the scope read sees everything, run also starts and cancels runs, admin also lands, and manages tokens and projects. One of
the scope worker is for \`espalier worker\` alone: it gets tasks and nothing else.
Tokens are kept as hashes in ~/.config/espalier/server/tokens.json. A server notices changes at once.

Exit status: 0, or 2 if there is no such token.

Examples:
  espalier tokens create ci --scope run --expires 90d
  espalier tokens
  espalier tokens revoke ci`
