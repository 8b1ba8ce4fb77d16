// The texts a plan is made of: one file, several, or those of a folder.
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import { LIMITS } from '../../config.ts'
import { ok, problem, type Result, refuse } from '../../problem.ts'
import type { PlanFile } from '../../workloads/plan/translate-format.ts'

export type PlanTexts = {
  name: string
  /** The path, to find the plan again when the run is resumed; null: several files. */
  path: string | null
  files: PlanFile[]
}

/** Files of a folder that may belong to a plan; others are ignored. */
const PLAN_EXTENSIONS = ['.md', '.markdown', '.json', '.jsonc', '.jsonl', '.ndjson', '.yaml', '.yml']

export async function readPlanTexts(names: readonly string[], cwd: string): Promise<Result<PlanTexts>> {
  const all: PlanTexts['files'] = []
  let bytes = 0
  for (const name of names) {
    const listed = await filesOf(name, cwd)
    if (!listed.ok) return listed
    for (const file of listed.value) {
      const { size } = await stat(resolve(cwd, file))
      bytes += size
      if (bytes > LIMITS.planBytes)
        return refuse(problem(`is ${bytes >> 20} MB; a plan may have ${LIMITS.planBytes >> 20} MB`, { file: name }))
      const path = resolve(cwd, file)
      all.push({ file, text: await readFile(path, 'utf8'), state: await stateBeside(path) })
    }
  }
  const [only = ''] = names
  const path = names.length === 1 ? resolve(cwd, only) : null
  return ok({ name: names.length === 1 ? only : names.join(' '), path, files: all })
}

/** Task Master keeps the current tag in `.taskmaster/state.json`. */
async function stateBeside(path: string): Promise<string | undefined> {
  if (!/[/\\]\.taskmaster[/\\]tasks[/\\][^/\\]+\.json$/.test(path)) return undefined
  return readFile(join(dirname(path), '..', 'state.json'), 'utf8').catch(() => undefined)
}

async function filesOf(name: string, cwd: string): Promise<Result<string[]>> {
  const path = resolve(cwd, name)
  try {
    if (!(await stat(path)).isDirectory()) return ok([name])
    const entries = await readdir(path, { withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile() && PLAN_EXTENSIONS.includes(extname(entry.name).toLowerCase()))
      .map((entry) => entry.name)
      .sort()
    if (files.length <= LIMITS.planFiles) return ok(files.map((file) => join(name, file)))
    return refuse(problem(`holds ${files.length} files; a plan may have ${LIMITS.planFiles}`, { file: name }))
  } catch (error) {
    return unreadable(error, name)
  }
}

export function unreadable(error: unknown, file: string): Result<never> {
  const { code, message } = error as NodeJS.ErrnoException
  return refuse(problem(code === 'ENOENT' ? 'no such file' : `cannot be read: ${message}`, { file }))
}
