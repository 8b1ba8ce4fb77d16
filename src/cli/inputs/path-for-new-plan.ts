// The file that `espalier plan new` or `plan convert` writes. A new plan costs money, so everything that could prevent it from
// being written is checked before its agent starts.
import { accessSync, constants, lstatSync, statSync } from 'node:fs'
import { dirname, extname, join, parse, resolve } from 'node:path'
import { type Problem, problem, type Result } from '../../problem.ts'
import type { ReadPlan } from '../../workloads/plan/read.ts'
import { planText } from '../../workloads/plan/text.ts'
import type { Target } from '../terminal/write-page.ts'

/** Reason why a plan cannot be written there; null: none is known. `ways`: advice for an existing file. */
export function whyNotThere({ file, cwd, isOver }: Target, ways = 'name another file with -o'): Problem | null {
  const path = resolve(cwd, file)
  if (NEVER_READ.includes(extname(file).toLowerCase()))
    return problem('would not be read as a plan: name a file that ends in .yaml or .json', { file })
  try {
    const there = firstThere(path)
    const isFolder = statSync(there).isDirectory()
    if (there === path && isFolder) return problem('is a folder: name a file in it', { file })
    if (there !== path && !isFolder) return problem(`cannot be written: ${there} is no folder. ${OTHER}`, { file })
    if (!isOver && lstatSync(path, { throwIfNoEntry: false })) return problem(`is there already: ${ways}`, { file })
    accessSync(there, constants.W_OK)
    return null
  } catch (error) {
    return problem(`cannot be written: ${(error as Error).message}. ${OTHER}`, { file })
  }
}

const OTHER = 'Name another file with -o'

/** The path itself, or its nearest existing parent folder; missing folders are created with the file. */
function firstThere(path: string): string {
  let there = path
  while (there !== dirname(there) && !statSync(there, { throwIfNoEntry: false })) there = dirname(there)
  return there
}

/** Converts the agent's YAML to JSON for a file called .json, which could not be read otherwise. */
export function textFor(file: string, text: string, read: Result<ReadPlan>): string {
  const json = read.ok && isJson(file) ? planText(read.value.source, 'json') : null
  return json?.ok ? json.value : text
}

/** `plan.rejected.yaml` for `plan.yaml`. A plan with problems stays YAML, as the agent wrote it. */
export function rejectedName(file: string): string {
  const { dir, name, ext } = parse(yamlName(file))
  return join(dir, `${name}.rejected${ext}`)
}

export function yamlName(file: string): string {
  return isJson(file) ? `${file.slice(0, -extname(file).length)}.yaml` : file
}

export function isJson(file: string): boolean {
  return ['.json', '.jsonc'].includes(extname(file).toLowerCase())
}

/** Endings never read as Espalier's own plan format. */
const NEVER_READ = ['.md', '.markdown', '.mdx', '.jsonl', '.ndjson']
