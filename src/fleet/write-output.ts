// A piece of what an attempt printed on a worker, put into its place. Pieces may come twice: they are the same then.
import { mkdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** False: it cannot be kept here, whoever sends it. */
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
    // A file where another piece needs a folder, or a name that no file can have here.
    if (!BAD_PATH.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    return false
  }
}

const BAD_PATH = new Set(['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ELOOP'])
