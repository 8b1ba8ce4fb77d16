// File operations of this process that fail: the n-th one below a folder, counted from the moment a file appears. Every
// module that took a function from node:fs gets the failing one.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { constants } from 'node:os'

export type Fault = {
  /** Only what is below it counts. */
  below: string
  /** Counting begins when this file is there. */
  since: string
  /** Which operation fails, from 1. */
  number: number
  code: string
  /** Every operation after it fails too, until it is disposed of. */
  stays?: boolean
}

export class FailingFiles implements Disposable {
  readonly #fault: Fault
  readonly #real = new Map<object, Map<string, unknown>>()
  #armed = false
  /** How many there were. */
  count = 0
  /** What failed first: `renameSync /path`. */
  failed: string | null = null

  constructor(fault: Fault) {
    this.#fault = fault
    this.#patch(fs, SYNC)
    this.#patch(fs.promises, ASYNC)
    syncBuiltinESMExports()
  }

  [Symbol.dispose](): void {
    for (const [target, functions] of this.#real) for (const [name, real] of functions) Reflect.set(target, name, real)
    syncBuiltinESMExports()
  }

  #patch(target: object, names: readonly string[]): void {
    const before = new Map<string, unknown>()
    this.#real.set(target, before)
    for (const name of names) {
      const real = Reflect.get(target, name) as (...args: unknown[]) => unknown
      before.set(name, real)
      const isAsync = target === fs.promises
      Reflect.set(target, name, (...args: unknown[]) => {
        const error = this.#errorFor(name, args[0])
        if (error === null) return real.apply(target, args)
        if (isAsync) return Promise.reject(error)
        throw error
      })
    }
  }

  #errorFor(name: string, path: unknown): NodeJS.ErrnoException | null {
    const { below, since, number, code, stays } = this.#fault
    this.#armed ||= fs.existsSync(since)
    if (!this.#armed || typeof path !== 'string' || !path.startsWith(below)) return null
    this.count++
    if (stays ? this.count < number : this.count !== number) return null
    this.failed ??= `${name} ${path.slice(below.length)}`
    const errno = Reflect.get(constants.errno, code) as number
    return Object.assign(new Error(`${code}: made up, ${name} '${path}'`), { code, errno: -errno, syscall: name, path })
  }
}

const SYNC = [
  ...['appendFileSync', 'chmodSync', 'copyFileSync', 'lstatSync', 'mkdirSync', 'openSync', 'readFileSync'],
  ...['readdirSync', 'renameSync', 'rmSync', 'statSync', 'writeFileSync'],
]
const ASYNC = [
  ...['appendFile', 'chmod', 'copyFile', 'link', 'lstat', 'mkdir', 'open', 'readFile', 'readdir', 'rename', 'rm'],
  ...['stat', 'writeFile'],
]
