// Sends the output of an attempt's commands while they run: the chunk files of their supervisors (they only grow, the oldest may be
// removed) and the prompt. At the end also the files collected from its worktree: artifacts and JUnit XML.
import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '../../config.ts'
import { filesLike } from '../../files/files-like.ts'
import { namesIn } from '../../files/if-there.ts'
import { FLEET } from '../limits.ts'

/** Folders of an attempt that hold no output of a command. */
const NO_STEPS = new Set(['files', 'kept', 'asks'])
const SENT = /^(?:output|errors)\.[a-z]{3}$/

export class OutputSync {
  readonly #root: string
  readonly #send: (piece: { file: string; offset: number; data: string }) => Promise<void>
  readonly #sent = new Map<string, number>()
  #busy: Promise<void> = Promise.resolve()

  constructor(root: string, send: (piece: { file: string; offset: number; data: string }) => Promise<void>) {
    this.#root = root
    this.#send = send
  }

  /** Sends everything new, one piece after the other: pieces of a file arrive in order. */
  sync(): Promise<void> {
    return this.#inTurn(() => this.#files())
  }

  /** Sends the rest after the end of the attempt. */
  async end(): Promise<void> {
    await this.sync()
    const found = await filesLike(this.#root, ['artifacts/**', 'junit/**'], 2 * LIMITS.artifactFiles)
    await this.#inTurn(() => found.map(({ path }) => path))
  }

  #inTurn(files: () => string[]): Promise<void> {
    this.#busy = this.#busy.catch(() => {}).then(() => this.#all(files()))
    return this.#busy
  }

  async #all(files: readonly string[]): Promise<void> {
    for (const file of files) {
      const size = statSync(join(this.#root, file), { throwIfNoEntry: false })?.size ?? 0
      for (let offset = this.#sent.get(file) ?? 0; offset < size; offset = this.#sent.get(file) ?? size) {
        const data = await readPiece(join(this.#root, file), offset)
        if (data.length === 0) break
        await this.#send({ file, offset, data: data.toString('base64') })
        this.#sent.set(file, offset + data.length)
      }
    }
  }

  #files(): string[] {
    const entries = namesIn(this.#root)
    const prompts = entries.filter((name) => /^prompt(-\d+)?\.md$/.test(name))
    const steps = entries.filter((name) => /^[a-z]+(-\d+(\.\d+)?)?$/.test(name) && !NO_STEPS.has(name))
    const output = steps.flatMap((step) =>
      namesIn(join(this.#root, step))
        .filter((name) => SENT.test(name))
        .sort()
        .map((name) => `${step}/${name}`),
    )
    return [...prompts, ...output]
  }
}

async function readPiece(path: string, start: number): Promise<Buffer> {
  const parts: Buffer[] = []
  try {
    for await (const part of createReadStream(path, { start, end: start + FLEET.outputBytes - 1 })) parts.push(part)
  } catch {
    // The file was removed meanwhile.
  }
  return Buffer.concat(parts)
}
