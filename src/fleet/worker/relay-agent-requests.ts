// Questions of agents to the task manager: files in the folder of their attempt (engine/requests/agent-tool-calls.ts), which the
// worker sends to the server; it writes the answers beside them.
//
// Properties
// - A worker that died between the two asks again: a note may be kept twice, none is lost.
// - A question carries the token of the attempt. Other files are left alone.
import { randomUUID } from 'node:crypto'
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { LIMITS } from '../../config.ts'
import { type Ask, answerFile, askSchema } from '../../engine/requests/agent-tool-calls.ts'
import { namesIn, textIn } from '../../files/if-there.ts'
import { type Result, refuse } from '../../problem.ts'
import { parsedJson } from '../../text/json.ts'
import { type Note, note } from '../../view.ts'

/** Files in the folder of asks: `<name>.ask.json`, and its answer beside it. */
const ASK_FILE = /^([0-9a-f-]{36})\.ask\.json$/
const askedSchema = z.strictObject({ token: z.string(), ask: askSchema })

export class Asks {
  readonly #folder: string
  readonly #token: string
  readonly #send: (ask: Ask) => Promise<Result<unknown>>
  /** Answers that could not be written yet, by the name of the question. */
  readonly #answers = new Map<string, Result<unknown>>()
  #looking: Promise<void> | null = null
  readonly #notes: Note[]
  #isLate = false

  constructor(folder: string, token: string, send: (ask: Ask) => Promise<Result<unknown>>) {
    this.#folder = folder
    this.#token = token
    this.#send = send
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#notes = told(join(folder, TOLD))
  }

  /** Answers all questions, one after the other. */
  look(): Promise<void> {
    if (this.#looking === null) this.#isLate = false
    this.#looking ??= this.#answerAll().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  /** The notes of the agent, read after its end. */
  async notes(): Promise<Note[]> {
    const found = new AbortController()
    const late = wait(LAST_LOOK_MS, undefined, { signal: found.signal }).then(() => {
      this.#isLate = true
    })
    // A look that is under way may have begun before the last question.
    const last = this.#looking ? this.#looking.then(() => this.look()) : this.look()
    await Promise.race([last, late]).catch(() => {})
    found.abort()
    late.catch(() => {})
    return [...this.#notes]
  }

  async #answerAll(): Promise<void> {
    for (const file of namesIn(this.#folder)) {
      const [, name] = ASK_FILE.exec(file) ?? []
      if (this.#isLate) return
      // An answer that cannot be written delays no others, and is not asked for again.
      if (name !== undefined) await this.#answer(name, join(this.#folder, file)).catch(() => {})
    }
  }

  async #answer(name: string, path: string): Promise<void> {
    const ask = this.#read(path)
    const isNew = !this.#answers.has(name)
    // The agent may have ended meanwhile; then the answer stays unread.
    const answer = this.#answers.get(name) ?? (ask ? await this.#send(ask) : refuse('this cannot be understood'))
    this.#answers.set(name, answer)
    if (isNew && ask?.type === 'note' && answer.ok) this.#note(ask)
    replace(answerFile(this.#folder, name), JSON.stringify(answer))
    rmSync(path, { force: true, recursive: true })
    this.#answers.delete(name)
  }

  #read(path: string): Ask | null {
    const read = askedSchema.safeParse(parsedJson(ownText(path)))
    return read.success && read.data.token === this.#token ? read.data.ask : null
  }

  /** Also kept in a file: the worker may be killed before the attempt is over. */
  #note({ kind, text, details }: Extract<Ask, { type: 'note' }>): void {
    this.#notes.push({ kind, text, details, at: Date.now() })
    this.#notes.splice(0, Math.max(0, this.#notes.length - LIMITS.notes))
    replace(join(this.#folder, TOLD), JSON.stringify(this.#notes))
  }
}

function told(path: string): Note[] {
  const read = z.array(note).safeParse(parsedJson(ownText(path)))
  return read.success ? read.data : []
}

const TOLD = 'told.json'
const LAST_LOOK_MS = 5_000
const MOST_BYTES = 8 * LIMITS.notes * LIMITS.messageChars

/** Agents write into this folder, too: only regular files of bounded size are read, and no link is followed. */
function ownText(path: string): string {
  try {
    const stat = lstatSync(path)
    return stat.isFile() && stat.size <= MOST_BYTES ? textIn(path) : ''
  } catch {
    return ''
  }
}

function replace(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
