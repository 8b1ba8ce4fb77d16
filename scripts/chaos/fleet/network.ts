// Machines as network namespaces: each has a cable (a pair of virtual interfaces) to one bridge, which this machine is on, too.
// A cable that is pulled loses packets without a word, as a real one does: no connection is refused, nothing is reset.
import { spawnSync } from 'node:child_process'

export class Network implements Disposable {
  /** Where this machine is reached, and all of them. */
  readonly address: string
  readonly range: string
  readonly #name: string
  readonly #subnet: string
  readonly #addresses = new Map<string, string>()

  /** `id`: one byte that tells it apart from other networks on this machine. */
  constructor(id: number) {
    this.#name = `esp${id}`
    this.#subnet = `10.${id}`
    this.address = `${this.#subnet}.0.1`
    this.range = `${this.#subnet}.0.0/16`
    this.#remove() // one that was killed may have left some
    process.on('exit', this.#remove)
    ip('link', 'add', this.#name, 'type', 'bridge')
    ip('address', 'add', `${this.address}/16`, 'dev', this.#name)
    ip('link', 'set', this.#name, 'up')
  }

  /** Its address. */
  add(machine: string): string {
    const number = this.#addresses.size + 2
    const address = `${this.#subnet}.${number >> 8}.${number & 255}`
    this.#addresses.set(machine, address)
    const space = this.#space(machine)
    ip('netns', 'add', space)
    ip('link', 'add', this.#cable(machine), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
    ip('link', 'set', this.#cable(machine), 'master', this.#name, 'up')
    ip('-n', space, 'address', 'add', `${address}/16`, 'dev', 'eth0')
    ip('-n', space, 'link', 'set', 'lo', 'up')
    ip('-n', space, 'link', 'set', 'eth0', 'up')
    return address
  }

  /** What a command line begins with that is to run there. The process is the one that is started: it has its number. */
  on(machine: string): string[] {
    return ['nsenter', `--net=/run/netns/${this.#space(machine)}`, '--']
  }

  pull(machine: string): void {
    ip('link', 'set', this.#cable(machine), 'down')
  }

  plugIn(machine: string): void {
    ip('link', 'set', this.#cable(machine), 'up')
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#remove)
    this.#remove()
  }

  readonly #remove = () => {
    const spaces = spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' }).stdout ?? ''
    for (const [space = ''] of spaces.matchAll(/^\S+/gm))
      if (space.startsWith(`${this.#name}-`)) spawnSync('ip', ['netns', 'delete', space])
    spawnSync('ip', ['link', 'delete', this.#name])
  }

  #space(machine: string): string {
    return `${this.#name}-${machine}`
  }

  /** Names of interfaces have at most 15 characters. */
  #cable(machine: string): string {
    return `${this.#name}-${machine}`.slice(0, 15)
  }
}

/** For a network of this process. */
export function idOfProcess(): number {
  return 60 + (process.pid % 180)
}

/** Why there can be none here; null: there can. */
export function noNetworks(): string | null {
  if (process.platform !== 'linux') return 'network namespaces are of Linux'
  if (process.getuid?.() !== 0) return 'only root makes network namespaces'
  for (const program of ['ip', 'nsenter'])
    if (spawnSync(program, ['--version']).error) return `there is no \`${program}\` (iproute2, util-linux)`
  try {
    using network = new Network(idOfProcess())
    network.add('trial')
    return null
  } catch (error) {
    return `network namespaces cannot be made here: ${(error as Error).message}`
  }
}

function ip(...args: string[]): void {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr?.trim()}`)
}
