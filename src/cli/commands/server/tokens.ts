import { problem, refuse } from '../../../problem.ts'
import { TokenFile } from '../../../server/tokens/token-file.ts'
import { safeLine } from '../../../text/safe.ts'
import { EXIT } from '../../exit-status.ts'
import { tokensPath } from '../../inputs/server-home.ts'
import type { Done } from '../../refusal.ts'
import { lookOf, type Surroundings } from '../../surroundings.ts'
import { printJson, printLines } from '../../terminal/print.ts'
import { tableLines } from '../../terminal/table.ts'

export async function listTokens(flags: { json?: boolean }, surroundings: Surroundings): Promise<Done> {
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

export async function createToken(
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

export async function revokeToken(token: string, flags: { json?: boolean }, surroundings: Surroundings): Promise<Done> {
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
