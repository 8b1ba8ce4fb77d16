// The network between the browser and the server, which can go away and come back.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export class Network implements AsyncDisposable {
  readonly #server = createServer((from) => this.#join(from))
  readonly #sockets = new Set<Socket>()
  #isDown = false
  /** Of the server; known once that listens. */
  target = 0

  static async open(): Promise<Network> {
    const network = new Network()
    network.#server.listen(0, '127.0.0.1')
    await once(network.#server, 'listening')
    return network
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  goDown(): void {
    this.#isDown = true
    for (const socket of this.#sockets) socket.destroy()
  }

  comeBack(): void {
    this.#isDown = false
  }

  #join(from: Socket): void {
    if (this.#isDown) {
      from.destroy()
      return
    }
    const to = connect(this.target, '127.0.0.1')
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.#sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        this.#sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.goDown()
    this.#server.close()
  }
}
