import { TokenFile } from '../../../internal.ts'
import { problem, refuse } from '../../../problem.ts'
import { jsonOutput } from '../../../text/json.ts'
import { safeLine } from '../../../text/safe.ts'
import { padEnd, widest } from '../../../text/width.ts'
import { EXIT } from '../../exit-status.ts'
import { tokensPath } from '../../inputs/server-home.ts'
import type { Done } from '../../refusal.ts'
import type { Surroundings } from '../../surroundings.ts'
import { printJson } from '../../terminal/print.ts'

export async function listTokens(flags: { json?: boolean }, surroundings: Surroundings): Promise<Done> {
  return withTokens(surroundings, async (file) => {
    const tokens = file.tokens().map(({ hash: _, ...token }) => token)
    const { out, err } = surroundings
    if (flags.json) out.write(`${jsonOutput({ tokens })}\n`)
    else if (tokens.length === 0)
      err.write('no tokens yet: `espalier serve` makes one, and `espalier tokens create NAME`\n')
    const nameWidth = widest(tokens.map(({ name }) => safeLine(name)))
    for (const { id, name, scope, kind, createdAt, expiresAt } of flags.json ? [] : tokens) {
      const times = `${day(createdAt)}${expiresAt === null ? '' : ` until ${day(expiresAt)}`}`
      out.write(`${id}  ${padEnd(safeLine(name), nameWidth)}  ${padEnd(scope, 6)}  ${padEnd(kind, 7)}  ${times}\n`)
    }
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
