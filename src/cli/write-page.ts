// Puts a page where somebody wants it, and says where that is.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { problem } from '../problem.ts'
import { EXIT, type ExitStatus } from './exit-status.ts'
import { refuseWith } from './problem-lines.ts'
import type { Surroundings } from './surroundings.ts'

/** `-` is stdout. */
export async function writePage(text: string, file: string, around: Surroundings): Promise<ExitStatus> {
  if (file === '-') {
    around.out.write(text)
    return EXIT.done
  }
  const path = resolve(around.cwd, file)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  } catch (error) {
    return refuseWith([problem(`cannot be written: ${(error as Error).message}. Name another file`, { file })], around)
  }
  around.out.write(`${path}\n`)
  return EXIT.done
}
