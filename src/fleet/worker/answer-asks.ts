// What agents on a worker ask the task manager lies as files in the folder of their attempt (engine/requests/ask.ts): sent
// on to the server, and the answer put beside it.
//
// Properties
// - One that died between the two asks again: a note may be there twice, none is lost.
// - Whoever asks has the token of the attempt. What else lies there is left alone, but for what cannot be understood.
import { randomUUID } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import { ASK_FILE, type Ask, answerFile, askedSchema } from '../../engine/requests/ask.ts'
import { type Result, refuse } from '../../problem.ts'
import { NOTE_KINDS, type Note } from '../../status.ts'

export class Asks {
  readonly #folder: string
  readonly #token: string
  readonly #send: (ask: Ask) => Promise<Result<unknown>>
  #looking: Promise<void> | null = null

  constructor(folder: string, token: string, send: (ask: Ask) => Promise<Result<unknown>>) {
    this.#folder = folder
    this.#token = token
    this.#send = send
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  /** Answers what lies there by now, one after the other, until `over`. */
  look(over?: AbortSignal): Promise<void> {
    this.#looking ??= this.#answerAll(over).finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  /** What its agent has told by now: asked when that has ended. */
  async notes(): Promise<Note[]> {
    const over = AbortSignal.timeout(LAST_LOOK_MS)
    await Promise.race([this.#looking, aborted(over)]).catch(() => {})
    await this.look(over).catch(() => {})
    return this.#told()
  }

  async #answerAll(over?: AbortSignal): Promise<void> {
    for (const file of listed(this.#folder)) {
      const [, name] = ASK_FILE.exec(file) ?? []
      if (name === undefined) continue
      if (over?.aborted) return
      const path = join(this.#folder, file)
      const ask = this.#read(path)
      // Whoever asked may have gone meanwhile; nobody else looks for the answer.
      const answer = ask ? await this.#send(ask) : refuse('this cannot be understood')
      if (ask?.type === 'note' && answer.ok) this.#remember(ask)
      replace(answerFile(this.#folder, name), JSON.stringify(answer))
      rmSync(path, { force: true, recursive: true })
    }
  }

  #read(path: string): Ask | null {
    try {
      const { token, ask } = askedSchema.parse(JSON.parse(ownText(path) ?? ''))
      return token === this.#token ? ask : null
    } catch {
      return null
    }
  }

  /** In a file, because the worker may be killed before the attempt is over. */
  #remember({ kind, text, details }: Extract<Ask, { type: 'note' }>): void {
    const told = [...this.#told(), { kind, text, details, at: Date.now() }].slice(-LIMITS.notes)
    replace(join(this.#folder, TOLD), JSON.stringify(told))
  }

  #told(): Note[] {
    try {
      return toldSchema.parse(JSON.parse(ownText(join(this.#folder, TOLD)) ?? '[]'))
    } catch {
      return []
    }
  }
}

const TOLD = 'told.json'
const LAST_LOOK_MS = 5_000
const MOST_BYTES = 8 * LIMITS.notes * LIMITS.messageChars
const toldSchema = z.array(
  z.object({ kind: z.enum(NOTE_KINDS), text: z.string(), details: z.string().optional(), at: z.number() }),
)

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** Agents write into this folder, too: nothing but a file of bounded size is opened, and nothing is written through a link. */
function ownText(path: string): string | null {
  try {
    const stat = lstatSync(path)
    return stat.isFile() && stat.size <= MOST_BYTES ? readFileSync(path, 'utf8') : null
  } catch {
    return null
  }
}

function replace(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
  renameSync(draft, path)
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
