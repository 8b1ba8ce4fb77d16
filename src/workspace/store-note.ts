// Which store a state folder belongs to, where that is not the file in it: `<state>/store.json`. Written by the engine, so that
// every other command finds the store by the folder alone. It may hold a password: only its owner can read it.
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomically } from '../files/write-atomically.ts'

/** Null: the file in the folder. */
export function notedStore(root: string): string | null {
  try {
    const { store } = JSON.parse(readFileSync(place(root), 'utf8')) as { store?: unknown }
    return typeof store === 'string' ? store : null
  } catch {
    return null
  }
}

export async function noteStore(root: string, store: string): Promise<void> {
  if (notedStore(root) === store) return
  if (store === ownStore(root)) await rm(place(root), { force: true })
  else await writeAtomically(place(root), `${JSON.stringify({ store })}\n`)
}

/** The file in the folder. */
export function ownStore(root: string): string {
  return join(root, 'state.db')
}

function place(root: string): string {
  return join(root, 'store.json')
}
