// Ids of other formats (`12`, `1.2a`, `bd-a1b2`, `T012`) as ids that can be part of a ref and a path.
import { plainName } from '../../text/slug.ts'

/** Long enough for any id people write; what is longer is cut. */
const MAX_CHARS = 63

/** Ask in the order of the file, also for what is done: the number that tells two alike apart must not change. */
export class OwnIds {
  readonly #prefix: string
  readonly #own = new Map<string, string>()
  readonly #taken = new Set<string>()
  readonly #next = new Map<string, number>()

  /** `prefix` goes before an id that begins with a digit: `12` becomes `task-12`. */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  of(native: string): string {
    const known = this.#own.get(native)
    if (known !== undefined) return known
    const own = this.#free(plain(native, this.#prefix))
    this.#own.set(native, own)
    this.#taken.add(own)
    return own
  }

  #free(wanted: string): string {
    if (!this.#taken.has(wanted)) return wanted
    for (let n = this.#next.get(wanted) ?? 2; ; n++) {
      const end = `-${n}`
      const numbered = `${wanted.slice(0, MAX_CHARS - end.length)}${end}`
      if (this.#taken.has(numbered)) continue
      this.#next.set(wanted, n + 1)
      return numbered
    }
  }
}

function plain(native: string, prefix: string): string {
  const text = plainName(native)
  const named = text === '' ? prefix : /^\d/.test(text) ? `${prefix}-${text}` : text
  return named.slice(0, MAX_CHARS).replace(/-$/, '')
}
