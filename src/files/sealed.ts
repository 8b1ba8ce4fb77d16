// Files of the engine's that it believes when it reads them again: agents run as the same user and may write anywhere.
// Each carries a MAC over its text and what it is about, by a key that lies outside of every folder an agent is given.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeAtomically } from './write-atomically.ts'

export type SealKey = Buffer

/** The key in that file; made where there is none. */
export function sealKey(file: string): SealKey {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file)
}

const KEY_BYTES = 32

/** `about`: what the text is of, so that no other file of the engine's can be put in its place. */
export async function writeSealed(path: string, text: string, { key, about }: Seal): Promise<void> {
  await writeAtomically(path, `${macOf(text, { key, about })}\n${text}`)
}

export type Seal = { key: SealKey; about: string }

/** Null: it is not what the engine wrote. Throws where it cannot be read. */
export function readSealed(path: string, { key, about }: Seal): string | null {
  const content = readFileSync(path, 'utf8')
  const end = content.indexOf('\n')
  const text = content.slice(end + 1)
  const [said, real] = [Buffer.from(content.slice(0, Math.max(0, end))), Buffer.from(macOf(text, { key, about }))]
  return said.length === real.length && timingSafeEqual(said, real) ? text : null
}

function macOf(text: string, { key, about }: Seal): string {
  return createHmac('sha256', key).update(`${about}\0`).update(text).digest('hex')
}
