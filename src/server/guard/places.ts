// Where a request may come from: the exact names this server is known by (DNS rebinding brings another one), and the pages
// of its own origin (other sites are told nothing).
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

export type Places = {
  /** Values of the Host header, in lower case. */
  hosts: ReadonlySet<string>
  origins: ReadonlySet<string>
}

type PlacesOptions = {
  host: string
  port: number
  /** Names that a proxy in front of it passes on. */
  allowHosts: readonly string[]
  /** Where the server is reached through a proxy, such as `https://espalier.example.com`. */
  publicUrl: string | null
  /** Pages of other origins that may use it. */
  allowOrigins: readonly string[]
}

export function placesOf({ host, port, allowHosts, publicUrl, allowOrigins }: PlacesOptions): Places {
  const own = ['localhost', '127.0.0.1', '[::1]', ...(isAnyAddress(host) ? addresses() : [bracketed(host)])]
  const hosts = own.map((name) => `${name}:${port}`)
  // Over HTTP the port is left out where it is 80.
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

function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/** Nobody can point a name of theirs at such a Host: it is a number. */
function addresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => bracketed(address)))
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host
}
