// How a plan file is told from others.
import { realpath } from 'node:fs/promises'
import { relative, sep } from 'node:path'

/** How a file is called: the same in each checkout of a repository, and whichever way a path leads to it. */
export class FileNames {
  readonly #real = new Map<string, Promise<string>>()

  async inAll<T extends { path: string }>(list: readonly T[], top: string): Promise<T[]> {
    return Promise.all(list.map(async (one) => ({ ...one, path: await this.nameOf(one.path, top) })))
  }

  async nameOf(path: string, top: string): Promise<string> {
    let real = this.#real.get(path)
    if (!real) {
      real = realpath(path).catch(() => path)
      this.#real.set(path, real)
    }
    const inside = relative(top, await real)
    return inside === '..' || inside.startsWith(`..${sep}`) ? await real : inside
  }
}
