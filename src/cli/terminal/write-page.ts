// Writes a page to stdout or a file, and prints the path of the file.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { ok, problem, type Result, refuse } from '../../problem.ts'
import { currentApp } from '../../reports/app/built-app.ts'
import { EXIT } from '../exit-status.ts'
import type { Done } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

export type PageFlag = string | true

/** The dashboard as one page without data; built first where it is not, which is said. */
export async function pageTemplate({ err }: Surroundings): Promise<Result<string>> {
  const app = await currentApp((line) => err.write(`${line}\n`))
  return app.ok ? ok(await readFile(join(app.value, 'report.html'), 'utf8')) : app
}

/** `-` is stdout. Where no file is named it goes to its own `place`. */
export async function writePage(
  text: string,
  flag: PageFlag,
  place: () => Promise<Result<string>>,
  surroundings: Surroundings,
): Promise<Done> {
  if (flag !== true) return writeText(text, flag, surroundings)
  const own = await place()
  return own.ok ? writeText(text, own.value, surroundings) : own
}

export async function writeText(text: string, file: string, surroundings: Surroundings): Promise<Done> {
  if (file === '-') {
    surroundings.out.write(text.endsWith('\n') ? text : `${text}\n`)
    return EXIT.done
  }
  const path = resolve(surroundings.cwd, file)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  } catch (error) {
    return refuse(problem(`cannot be written: ${(error as Error).message}. Name another file`, { file }))
  }
  surroundings.out.write(`${path}\n`)
  return EXIT.done
}
