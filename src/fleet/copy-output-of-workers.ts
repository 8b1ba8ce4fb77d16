// Output of attempts on workers, copied from the store into this machine's state folder, which servers on other machines cannot
// write. Without a shared repository, servers write into the folder themselves.
//
// Properties
// - Complete: an engine that takes over reads from the beginning, and the output of a finished attempt is read again, because
//   pieces that are written at once may be seen in another order.
// - Nothing waits for it: if it cannot be read, logs are incomplete.
import { mkdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Machine } from '../attempt/attempt-context.ts'
import type { Assignments, OutputPiece } from './fleet-database.ts'
import { FLEET } from './limits.ts'
import { orderFolder, type WorkOrder } from './orders.ts'

export type OutputHere = ReturnType<typeof outputHere>

export function outputHere(machine: Pick<Machine, 'engine' | 'folder'>, fleet: Pick<Assignments, 'outputAfter'>) {
  return {
    async follow(run: string, over: AbortSignal): Promise<void> {
      if (machine.engine.shared === null) return
      for (let last = 0; !over.aborted; ) {
        try {
          last = await copy(run, last, { over })
        } catch {
          // The database is away for a moment, or the disk is full: tried again later.
        }
        await wait(FLEET.outputEveryMs, undefined, { signal: over }).catch(() => {})
      }
    },

    /** All output of a finished attempt or verification. */
    async all(order: WorkOrder): Promise<void> {
      const { engine, folder } = machine
      if (engine.shared === null) return
      const of = relative(folder.root, orderFolder(folder, order))
      await copy(order.run, 0, { folder: of }).catch(() => {})
    },
  }

  async function copy(
    run: string,
    after: number,
    { folder, over }: { folder?: string; over?: AbortSignal },
  ): Promise<number> {
    for (let last = after; ; ) {
      const pieces = await fleet.outputAfter(run, last, folder)
      for (const piece of pieces) await write(piece)
      last = pieces.at(-1)?.id ?? last
      if (pieces.length === 0 || over?.aborted) return last
    }
  }

  async function write({ folder, file, offset, data }: OutputPiece): Promise<void> {
    const parts = [...folder.split('/'), ...file.split('/')]
    if (parts[0] === 'runs' && !parts.includes('..'))
      await writeOutput(join(machine.folder.root, ...parts), offset, data)
  }
}

/** Writes a piece at its offset; writing it twice changes nothing. False: no piece can be written there. */
export async function writeOutput(path: string, offset: number, data: Uint8Array): Promise<boolean> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    await using file = await open(path, 'a').then(async (made) => {
      await made.close()
      return open(path, 'r+')
    })
    await file.write(data, 0, data.length, offset)
    return true
  } catch (error) {
    // There is a file in place of its folder, or no file can have that name here.
    if (!BAD_PATH.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    return false
  }
}

const BAD_PATH = new Set(['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ELOOP'])
