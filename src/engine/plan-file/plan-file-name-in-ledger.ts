// What plan files are called in the ledger: by one name in each checkout of a repository, whichever way a path leads there.
import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import type { FileTask } from '../../store/ledger.ts'
import type { PlanOrigin } from '../../workloads/formats/write-back/plan-file-at-start.ts'

/** As git names it where it is in the checkout; otherwise its whole path. */
export async function planFileName(path: string, top: string): Promise<string> {
  const real = await realpath(path).catch(() => path)
  const inside = relative(top, real)
  return isAbsolute(inside) || inside.split(sep)[0] === '..' ? real : inside.split(sep).join('/')
}

export function planFilePath(name: string, top: string): string {
  return isAbsolute(name) ? name : join(top, name)
}

export function isThereIn(top: string): (name: string) => boolean {
  return (name) => existsSync(planFilePath(name, top))
}

export async function fileTasks(
  { format, part, files, done = [] }: PlanOrigin,
  top: string,
): Promise<{ open: (FileTask & { task: string })[]; done: (FileTask & { task: string })[] }> {
  const names = new Map<string, string>()
  for (const { path } of [...files, ...done]) if (!names.has(path)) names.set(path, await planFileName(path, top))
  const toTask = (path: string, { task, source, says, numberless = null }: Entry) => {
    return { file: names.get(path) ?? path, format, part, source, says, numberless, task }
  }
  return {
    open: files.flatMap(({ path, entries }) => entries.map((entry) => toTask(path, entry))),
    done: done.map(({ path, ...entry }) => toTask(path, entry)),
  }
}

type Entry = { task: string; source: string; says: string; numberless?: string | null | undefined }
