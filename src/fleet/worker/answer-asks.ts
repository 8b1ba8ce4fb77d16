// What agents on a worker ask the task manager lies as files in the folder of their attempt (engine/requests/ask.ts): sent
// on to the server, and the answer put beside it.
//
// Properties
// - One that died between the two asks again: a note may be there twice, none is lost.
// - Whoever asks has the token of the attempt. What else lies there is left alone, but for what cannot be understood.
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ASK_FILE, type Ask, answerFile, askedSchema } from '../../engine/requests/ask.ts'
import { writeAtomically } from '../../files/write-atomically.ts'
import { type Result, refuse } from '../../problem.ts'

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

  /** Answers what lies there by now, one after the other. */
  look(): Promise<void> {
    this.#looking ??= this.#answerAll().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  async #answerAll(): Promise<void> {
    for (const file of listed(this.#folder)) {
      const [, name] = ASK_FILE.exec(file) ?? []
      if (name === undefined) continue
      const path = join(this.#folder, file)
      const ask = this.#read(path)
      // Whoever asked may have gone meanwhile; nobody else looks for the answer.
      const answer = ask ? await this.#send(ask) : refuse('this cannot be understood')
      await writeAtomically(answerFile(this.#folder, name), JSON.stringify(answer))
      rmSync(path, { force: true, recursive: true })
    }
  }

  #read(path: string): Ask | null {
    try {
      const { size, isFile } = ((stat) => ({ size: stat.size, isFile: stat.isFile() }))(lstatSync(path))
      if (!isFile || size > MOST_BYTES) return null
      const { token, ask } = askedSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
      return token === this.#token ? ask : null
    } catch {
      return null
    }
  }
}

const MOST_BYTES = 100_000

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
