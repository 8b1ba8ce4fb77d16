// One repository's state as one handle: the checkout it belongs to, its state folder, the store and the engine's own
// repository. The command line, the server and workers open it once and hand it to everything they call.
//
// Properties
// - Opening it costs no process and no database: each is opened when it is first needed, and kept.
// - A store that was put in the place of the one that is open (a state folder removed and made anew) is noticed.
// - Reading never makes a state folder; writing does. Only `lockWorkspace` makes somebody the engine (I16).
import { existsSync } from 'node:fs'
import { mkdir, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { inspect, type UserRepository } from '../git/user/repository.ts'
import { ok, type Result, refuse } from '../problem.ts'
import { lockHolder } from '../process/lock.ts'
import type { FeedEntry } from '../store/journal-queries.ts'
import { openStore, openViews, unlessStoreTrouble } from '../store/open.ts'
import { storeExists, storeInode } from '../store/place.ts'
import type { Store } from '../store/store.ts'
import type { Views } from '../store/views.ts'
import { checkPlace, unlessUnwritable } from './check-state-folder.ts'
import { noteStore, type StateFolder, stateFolder } from './state-folder.ts'

export type OpenWorkspace = {
  /** Any path inside the checkout. */
  repo: string
  /** By default `<repository>.espalier` beside the repository. */
  stateDir?: string | null | undefined
  /** An SQLite file or `postgres://…`; by default the one of the state folder. */
  store?: string | null | undefined
  /** A bare repository that other machines reach, too: see git/engine/shared-repository.ts. */
  engineRepository?: string | null | undefined
}

export async function openWorkspace({ repo, stateDir = null, ...places }: OpenWorkspace): Promise<Result<Workspace>> {
  const start = await realpath(resolve(repo)).catch(() => null)
  const found = start === null ? null : checkoutAround(start)
  if (found === null) return refuse(`${repo} is not inside a git repository: name one with --repo`)
  return found.ok ? ok(new Workspace(found.value, stateDir, places)) : found
}

/** The top folder of the checkout around a folder, or the refusal of the bare repository around it; null: neither. */
export function checkoutAround(folder: string): Result<string> | null {
  let bare: string | null = null
  for (let top = folder; ; top = dirname(top)) {
    const has = (name: string) => existsSync(join(top, name))
    if (has('.git')) return ok(top)
    if (['HEAD', 'objects', 'refs'].every(has)) bare ??= top
    if (dirname(top) === top) break
  }
  return bare === null ? null : refuse(`${bare} is a bare repository: run espalier in a checkout of it`)
}

export class Workspace implements AsyncDisposable {
  readonly repo: string
  readonly stateDir: string | null
  readonly folder: StateFolder
  readonly engineRepository: string | null
  #ahead: { user: Promise<Result<UserRepository>>; begunAt: number } | null = null
  readonly #open = new Map<Mode, { inode: number; store: Views & AsyncDisposable }>()

  constructor(
    repo: string,
    stateDir: string | null,
    { store = null, engineRepository = null }: Pick<OpenWorkspace, 'store' | 'engineRepository'> = {},
  ) {
    this.repo = repo
    this.stateDir = stateDir
    this.folder = stateFolder(repo, stateDir, store)
    this.engineRepository = engineRepository
  }

  /** Whether there may be runs, or may have been some that are removed. */
  get exists(): boolean {
    return storeExists(this.folder.database)
  }

  get engine(): { pid: number } | null {
    const holder = lockHolder(this.folder.lock)
    return holder && { pid: holder.pid }
  }

  user(): Promise<Result<UserRepository>> {
    const ahead = this.#ahead
    this.#ahead = null
    return ahead && performance.now() - ahead.begunAt < FRESH_MS ? ahead.user : inspect(this.repo)
  }

  /** Begins to look at the user's repository, ahead of the next `user()`. */
  lookAhead(): void {
    this.#ahead = { user: inspect(this.repo), begunAt: performance.now() }
    this.#ahead.user.catch(() => {}) // nobody may ask
  }

  /** Reads the views of the store; `nothing` if there is no store yet. Quick to load. */
  async readViews<T>(nothing: T, use: (views: Views) => Promise<T>): Promise<Result<T>> {
    if (!this.exists) return this.#unreadable() ?? ok(nothing)
    const views = await this.#opened('views', () => openViews(this.folder.database))
    return views.ok ? this.#using('views', async () => ok(await use(views.value))) : views
  }

  /** Changes made by any process: see store/views.ts. Ends at once if there is no store. */
  async *changes(options: Parameters<Views['changes']>[0]): AsyncGenerator<boolean, void, void> {
    const views = this.exists ? await this.#opened('views', () => openViews(this.folder.database)) : null
    if (views?.ok) yield* views.value.changes(options)
  }

  /** Entries of all runs in one order: see store/journal-queries.ts. Ends at once if there is no store. */
  async *watch(...args: Parameters<Store['watch']>): AsyncGenerator<FeedEntry, void, void> {
    const store = this.exists ? await this.#opened('read', () => openStore(this.folder.database, 'read')) : null
    if (store?.ok) yield* store.value.watch(...args)
  }

  /** Reads the whole store, with journals, lessons and held claims. */
  async read<T>(nothing: T, use: (store: Store) => Promise<Result<T>>): Promise<Result<T>> {
    if (!this.exists) return this.#unreadable() ?? ok(nothing)
    const store = await this.#opened('read', () => openStore(this.folder.database, 'read'))
    return store.ok ? this.#using('read', () => use(store.value)) : store
  }

  /** Writes from outside a run, also while an engine works here. Makes the state folder if there is none. */
  async write<T>(use: (store: Store) => Promise<Result<T>>): Promise<Result<T>> {
    const trouble = this.#isOpen('write') ? null : await this.#misplaced()
    if (trouble) return trouble
    return unlessUnwritable(this.folder, async () => {
      await mkdir(this.folder.root, { recursive: true, mode: 0o700 })
      const store = await this.#opened('write', () => openStore(this.folder.database, 'write'))
      if (store.ok) await noteStore(this.folder.root, this.folder.database)
      return store.ok ? this.#using('write', () => use(store.value)) : store
    })
  }

  /** Checked once for each opened store: it takes several processes. */
  async #misplaced(): Promise<Result<never> | null> {
    const user = await this.user()
    if (!user.ok) return user
    const problems = await checkPlace(user.value, this.folder)
    return problems.length > 0 ? { ok: false, problems } : null
  }

  /** Refuses a folder that may not be read: it is not one without runs. */
  #unreadable(): Result<never> | null {
    try {
      storeInode(this.folder.database)
      return null
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'ENOTDIR') return null
      return refuse(`the state folder ${this.folder.root} cannot be read (${message}): give your user the right to`)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const mode of [...this.#open.keys()]) await this.#close(mode)
  }

  async #opened<S extends Views & AsyncDisposable>(mode: Mode, open: () => Promise<Result<S>>): Promise<Result<S>> {
    const known = this.#open.get(mode)
    if (known && this.#isOpen(mode)) return ok(known.store as S)
    if (known) await this.#close(mode)
    const opened = await open()
    // A store that is just being made is opened again at the next call.
    const inode = opened.ok && opened.value.isBeingMade ? NONE : storeInode(this.folder.database)
    if (opened.ok) this.#open.set(mode, { inode, store: opened.value })
    return opened
  }

  /** False also if another store has taken its place. */
  #isOpen(mode: Mode): boolean {
    const known = this.#open.get(mode)
    return known !== undefined && known.inode === storeInode(this.folder.database)
  }

  /** A store that turned out to be damaged is not used again. */
  async #using<T>(mode: Mode, use: () => Promise<Result<T>>): Promise<Result<T>> {
    let isWhole = false
    const result = await unlessStoreTrouble(this.folder.database, async () => {
      const used = await use()
      isWhole = true
      return used
    })
    if (!isWhole) await this.#close(mode)
    return result
  }

  async #close(mode: Mode): Promise<void> {
    const known = this.#open.get(mode)
    this.#open.delete(mode)
    await known?.store[Symbol.asyncDispose]()
  }
}

type Mode = 'views' | 'read' | 'write'

const NONE = -1

/** An older look is not used: the user may have committed since. */
const FRESH_MS = 500
