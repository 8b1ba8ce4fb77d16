// Pushes a branch of the user's as they would by hand: their git, credentials and hooks. Never with force.
import { asPerson, git, gitLines, gitText } from '../run/git.ts'
import type { UserRepository } from './repository.ts'

type Push =
  /** `hint`: address for a pull request, from the other side. */
  | { ok: true; how: 'new' | 'updated' | 'up-to-date'; hint: string | null }
  /** `isBehind`: the other side has commits that are not here. */
  | { ok: false; isBehind: boolean; message: string }

export async function push(user: UserRepository, remote: string, branch: string): Promise<Push> {
  const ref = `refs/heads/${branch}`
  const args = ['push', '--porcelain', '--no-force', '--no-follow-tags', '--', remote, `${ref}:${ref}`]
  const { code, stdout, stderr } = await git(args, { ...asPerson(user.top), hooks: true, okCodes: [0, 1, 128] })
  const said = stdout.toString('utf8')
  // <flag> TAB <from>:<to> TAB <summary>
  const [flag = '', , summary = ''] =
    said
      .split('\n')
      .find((line) => line.includes(`${ref}:${ref}`))
      ?.split('\t') ?? []
  if (code === 0) {
    const how = flag === '*' ? 'new' : flag === '=' ? 'up-to-date' : 'updated'
    return { ok: true, how, hint: /^remote:.*?(https?:\/\/\S+)/m.exec(stderr)?.[1] ?? null }
  }
  const reasons = [summary, ...stderr.split('\n').filter((line) => /^(remote|error|fatal):/.test(line))]
  const message = reasons
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('error: failed to push some refs'))
    .slice(0, MAX_LINES)
    .join('; ')
  return { ok: false, isBehind: /fetch first|non-fast-forward/.test(summary), message: message || stderr.trim() }
}

const MAX_LINES = 8

export type Remote = { name: string; url: string }

export async function listRemotes(user: UserRepository): Promise<Remote[]> {
  const options = { ...asPerson(user.top), okCodes: [0, 1] }
  const remotes = new Map<string, string>()
  for (const line of await gitLines(['config', '--get-regexp', '^remote\\..*\\.url$'], options)) {
    const [, name, url] = /^remote\.(.+)\.url (.+)$/.exec(line) ?? []
    if (name !== undefined && url !== undefined && !remotes.has(name)) remotes.set(name, url)
  }
  return [...remotes].map(([name, url]) => ({ name, url }))
}

export async function remoteOf(user: UserRepository, branch: string): Promise<string | null> {
  const options = { ...asPerson(user.top), okCodes: [0, 1] }
  return (await gitText(['config', '--get', `branch.${branch}.remote`], options)) || null
}
