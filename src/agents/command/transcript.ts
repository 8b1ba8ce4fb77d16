// The output of a command agent as a person reads it: of its JSON lines the words, everything else at once, half lines too.
import { commandMessage } from './agent.ts'

export class CommandWords {
  #held: Buffer[] = []
  #heldBytes = 0
  #isLineStart = true

  push(data: Buffer): Buffer[] {
    const shown: Buffer[] = []
    for (let position = 0; position < data.length; ) {
      const end = data.indexOf(NEWLINE, position)
      const piece = data.subarray(position, end === -1 ? data.length : end + 1)
      const isHeld = this.#isLineStart ? piece[0] === BRACE : this.#heldBytes > 0
      this.#isLineStart = end !== -1
      position += piece.length
      if (!isHeld) shown.push(piece)
      else shown.push(...this.#hold(piece))
    }
    return shown.length > 1 ? [Buffer.concat(shown)] : shown
  }

  end(): Buffer[] {
    return this.#heldBytes > 0 ? this.#release() : []
  }

  #hold(piece: Buffer): Buffer[] {
    this.#held.push(piece)
    this.#heldBytes += piece.length
    return this.#isLineStart || this.#heldBytes > MAX_HELD_BYTES ? this.#release() : []
  }

  #release(): Buffer[] {
    const line = Buffer.concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    const message = commandMessage(line.toString('utf8').trimEnd())
    if (!message) return [line]
    const words = message.type === 'progress' ? message.message : message.type === 'outcome' ? message.summary : null
    return words ? [Buffer.from(`${words}\n`)] : []
  }
}

/** Whether the output of that agent is read so; `run` is a command that the task itself gives. */
export function speaksCommandLines(agent: string | null): boolean {
  return agent === 'command' || agent === 'run'
}

const NEWLINE = 10
const BRACE = 0x7b
/** A longer line is none of these: it passes as it is. */
const MAX_HELD_BYTES = 1 << 20
