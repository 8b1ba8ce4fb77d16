// What stands between a worker and its servers: passes every request on to the next of them, late, twice or not at all.
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export type Faults = {
  delayMs?: number
  /** By the last part of its path: `result`, `pack`, … */
  dropped?: (path: string) => boolean
  /** Sent twice; the second answer is the one that counts. */
  doubled?: (path: string) => boolean
}

export class BadLine implements AsyncDisposable {
  readonly url: string
  /** How many requests each of them got. */
  readonly asked: number[]
  readonly #server: ReturnType<typeof createServer>

  private constructor(server: ReturnType<typeof createServer>, asked: number[]) {
    this.#server = server
    this.asked = asked
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async before(targets: readonly string[], faults: Faults = {}): Promise<BadLine> {
    const asked = targets.map(() => 0)
    let count = 0
    const server = createServer(async (incoming, outgoing) => {
      const parts: Buffer[] = []
      for await (const part of incoming) parts.push(part)
      const body = Buffer.concat(parts)
      const name = new URL(incoming.url ?? '/', 'http://x').pathname.split('/').at(-1) ?? ''
      if (faults.delayMs) await wait(faults.delayMs)
      if (faults.dropped?.(name)) return void outgoing.destroy()
      const send = (answered: (status: number, head: object, body: Buffer) => void) => {
        const n = count++ % targets.length
        asked[n] = (asked[n] ?? 0) + 1
        const { hostname, port, host } = new URL(targets[n] ?? '')
        const { method, url: path, headers } = incoming
        const onward = request({ hostname, port, method, path, headers: { ...headers, host } }, async (answer) => {
          const all: Buffer[] = []
          for await (const part of answer) all.push(part)
          answered(answer.statusCode ?? 502, answer.headers, Buffer.concat(all))
        })
        onward.on('error', () => outgoing.destroy())
        outgoing.on('close', () => onward.destroy())
        onward.end(body)
      }
      const finish = () => send((status, head, text) => outgoing.writeHead(status, { ...head }).end(text))
      if (faults.doubled?.(name)) send(finish)
      else finish()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new BadLine(server, asked)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((resolve) => this.#server.close(() => resolve()))
  }
}
