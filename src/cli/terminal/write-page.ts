// Puts a page where somebody wants it, and says where that is.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { problem, type Result } from '../../problem.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

/** Of a flag that can name a file: true where it names none. */
export type PageFlag = string | true

/**
 * `-` is stdout. A page is of no use in a terminal: where no file is named it goes to its own `place` then, and to stdout
 * otherwise.
 */
export async function writePage(
  text: string,
  flag: PageFlag,
  place: () => Promise<Result<string>>,
  around: Surroundings,
): Promise<ExitStatus> {
  if (flag !== true || !around.out.isTTY) return writeText(text, flag === true ? '-' : flag, around)
  const own = await place()
  return own.ok ? writeText(text, own.value, around) : refuseWith(own.problems, around)
}

export async function writeText(text: string, file: string, around: Surroundings): Promise<ExitStatus> {
  if (file === '-') {
    around.out.write(text.endsWith('\n') ? text : `${text}\n`)
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
