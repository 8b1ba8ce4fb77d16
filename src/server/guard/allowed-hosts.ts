// Allowed Host names (DNS rebinding sends another one) and origins (pages of other sites are refused).
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

export type Places = {
  /** Names in lower case. */
  hosts: ReadonlySet<string>
  origins: ReadonlySet<string>
}

export function placesOf({
  host,
  port,
  allowHosts,
  publicUrl,
  allowOrigins,
}: {
  host: string
  port: number
  /** Host names that a proxy in front of the server passes on. */
  allowHosts: readonly string[]
  /** The server's address behind a proxy, such as `https://espalier.example.com`. */
  publicUrl: string | null
  /** Other origins whose pages may use the server. */
  allowOrigins: readonly string[]
}): Places {
  const own = ['localhost', '127.0.0.1', '[::1]', ...(isAnyAddress(host) ? addresses() : [bracketed(host)])]
  const hosts = own.map((name) => `${name}:${port}`)
  // Browsers leave out port 80.
  if (port === 80) hosts.push(...own)
  const origins = hosts.map((name) => `http://${name}`)
  for (const name of allowHosts) hosts.push(name.includes(':') ? name : `${name}:${port}`, name)
  if (publicUrl !== null) {
    const { host: name, origin } = new URL(publicUrl)
    hosts.push(name)
    origins.push(origin)
  }
  const lower = (values: readonly string[]) => new Set(values.map((value) => value.toLowerCase()))
  return { hosts: lower(hosts), origins: lower([...origins, ...allowOrigins]) }
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

export function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** IP addresses are safe: DNS rebinding needs a name. */
function addresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => bracketed(address)))
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host
}
