// The repository of a worker: objects that came as packs, and nothing of anybody's checkout. What the engine knows of the user's
// repository (who commits, how files look) comes with joining, so that the same is made of a commit here and there.
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { writeAtomically } from '../../files/write-atomically.ts'
import { presentCommits, readPack, writePack } from '../../git/engine/pack.ts'
import { type EngineRepository, inEngine, openEngineRepository } from '../../git/engine/repository.ts'
import { git } from '../../git/run/git.ts'
import type { UserRepository } from '../../git/user/repository.ts'
import { FLEET } from '../limits.ts'
import type { Joined } from '../protocol.ts'

export class WorkerRepository {
  readonly engine: EngineRepository
  readonly #known: string

  private constructor(engine: EngineRepository, known: string) {
    this.engine = engine
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
    return new WorkerRepository(await openEngineRepository(root, user), join(root, 'known.json'))
  }

  async lacks(commits: readonly string[]): Promise<string[]> {
    const there = new Set(await presentCommits(inEngine(this.engine), commits))
    return commits.filter((commit) => !there.has(commit))
  }

  /** Commits that came with all they need, the newest first. */
  async has(): Promise<string[]> {
    const noted = await this.#noted()
    return presentCommits(inEngine(this.engine), noted.slice(0, FLEET.haveCommits))
  }

  async receive(pack: ReadableStream<Uint8Array>, commits: readonly string[]): Promise<void> {
    await readPack(inEngine(this.engine), Readable.fromWeb(pack as Parameters<typeof Readable.fromWeb>[0]))
    const noted = [...new Set([...commits, ...(await this.#noted())])].slice(0, FLEET.haveCommits)
    await writeAtomically(this.#known, JSON.stringify(noted))
  }

  async pack(want: string, have: readonly string[]): Promise<Buffer> {
    const { pack, done } = writePack(inEngine(this.engine), { want: [want], have })
    const parts: Buffer[] = []
    for await (const part of pack) parts.push(part as Buffer)
    await done
    return Buffer.concat(parts)
  }

  async #noted(): Promise<string[]> {
    try {
      const noted: unknown = JSON.parse(await readFile(this.#known, 'utf8'))
      return Array.isArray(noted) ? noted.filter((one) => typeof one === 'string') : []
    } catch {
      return []
    }
  }
}
