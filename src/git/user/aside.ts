// Files that have to survive whatever git does to their checkout, by a second name. A hard link needs no room, so this
// works on a full disk as well; git replaces files and never writes into one that is there.
import { randomBytes } from 'node:crypto'
import { link, rename, rm } from 'node:fs/promises'

export class Aside implements AsyncDisposable {
  readonly #names: { path: string; aside: string }[] = []

  /** Null where the file system has no hard links. */
  static async of(paths: readonly string[]): Promise<Aside | null> {
    const all = new Aside()
    try {
      for (const path of paths) {
        const aside = `${path}.${randomBytes(6).toString('hex')}.kept`
        await link(path, aside)
        all.#names.push({ path, aside })
      }
      return all
    } catch {
      await all[Symbol.asyncDispose]()
      return null
    }
  }

  /** They are what they were. */
  async restore(): Promise<void> {
    for (const { path, aside } of this.#names) await rename(aside, path)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { aside } of this.#names) await rm(aside, { force: true })
  }
}
