// The repository of a worker: objects received as packs, without a checkout. Joining brings the settings of the user's repository
// (identity, line endings …), so that commits are the same here and there.
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { writeAtomically } from '../../files/write-atomically.ts'
import { presentCommits, readPack, smallPack } from '../../git/engine/pack.ts'
import { type EngineRepository, inEngine, openEngineRepository } from '../../git/engine/repository.ts'
import { git, hasPrintedTooMuch } from '../../git/run/git.ts'
import type { UserRepository } from '../../git/user/repository.ts'
import { FLEET } from '../limits.ts'
import type { Joined } from '../protocol.ts'

export class WorkerRepository {
  readonly engine: EngineRepository
  readonly #file: string
  /** Commits that are present, the newest first. */
  #known: string[]

  private constructor(engine: EngineRepository, file: string, known: string[]) {
    this.engine = engine
    this.#file = file
    this.#known = known
  }

  static async open(root: string, { repository }: Pick<Joined, 'repository'>): Promise<WorkerRepository> {
    const top = join(root, 'checkout')
    const gitDir = join(top, '.git')
    await mkdir(top, { recursive: true })
    const format = [`--object-format=${repository.objectFormat}`, '--initial-branch=none']
    await git(['init', '-q', ...format, top], { cwd: root })
    const user: UserRepository = {
      ...{ top, gitDir, commonDir: gitDir, objectsDir: join(gitDir, 'objects') },
      ...{ shallow: false, bare: false, headBranch: null, head: '', hooks: null, submodules: false, sparse: false },
      ...repository,
      checkout: repository.checkout as UserRepository['checkout'],
      warnings: [],
    }
    const engine = await openEngineRepository(root, user)
    const file = join(root, 'known.json')
    return new WorkerRepository(engine, file, await presentCommits(inEngine(engine), await notedIn(file)))
  }

  /** `has`: complete commits, the newest first. From memory: asking git takes longer than receiving a commit twice. */
  compare(commits: readonly string[]): { lacks: string[]; has: readonly string[] } {
    return { lacks: commits.filter((commit) => !this.#known.includes(commit)), has: this.#known }
  }

  async receive(pack: Readable, commits: readonly string[]): Promise<void> {
    await readPack(inEngine(this.engine), pack, this.engine.user.objectFormat)
    this.#known = [...new Set([...commits, ...this.#known])].slice(0, FLEET.haveCommits)
    // Not awaited: if it is lost, only more is sent.
    void writeAtomically(this.#file, JSON.stringify(this.#known)).catch(() => {})
  }

  /** Null: larger than servers accept. */
  async pack(want: string, have: readonly string[]): Promise<Buffer | null> {
    try {
      return await smallPack(inEngine(this.engine), { want, have, maxBytes: FLEET.packBytes })
    } catch (error) {
      if (hasPrintedTooMuch(error)) return null
      throw error
    }
  }
}

async function notedIn(file: string): Promise<string[]> {
  try {
    const noted: unknown = JSON.parse(await readFile(file, 'utf8'))
    return Array.isArray(noted) ? noted.filter((one) => typeof one === 'string').slice(0, FLEET.haveCommits) : []
  } catch {
    return []
  }
}
