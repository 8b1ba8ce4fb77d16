// A question to the person at the terminal, answered by a letter.
import { createInterface } from 'node:readline'
import type { Surroundings } from '../surroundings.ts'

/** The first choice is meant by Enter alone. Null: they left without an answer. */
export async function ask<Choice extends string>(
  question: string,
  choices: Readonly<Record<string, Choice>>,
  { input, err }: Pick<Surroundings, 'input' | 'err'>,
): Promise<Choice | null> {
  if (!input) return null
  const letters = Object.keys(choices)
  using lines = createInterface({ input, output: err })
  lines.on('SIGINT', () => lines.close())
  const put = () => void err.write(`${question} [${letters.join('/')}] `)
  put()
  let tries = 0
  for await (const answer of lines) {
    const choice = choices[answer.trim().toLowerCase().slice(0, 1) || (letters[0] ?? '')]
    if (choice !== undefined) return choice
    if (++tries === TRIES) return null
    put()
  }
  return null
}

const TRIES = 3
