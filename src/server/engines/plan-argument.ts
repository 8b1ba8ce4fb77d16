// The plan of a request as words of a command line. A path has to be inside the repository; a text becomes a file of the
// server's own, named by its content, so that its run can be resumed.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, extname, join, resolve, sep } from 'node:path'
import type * as z from 'zod'
import { writeAtomically } from '../../files/write-atomically.ts'
import { mapped, ok, problem, type Result, refuse } from '../../problem.ts'
import { slug } from '../../text/slug.ts'
import type { ServerContext } from '../context.ts'
import { SERVER_LIMITS } from '../limits.ts'
import type { Project } from '../projects/projects.ts'
import type { planInput } from '../resources/shared-inputs.ts'

export type PlanInput = z.output<typeof planInput>

/** Absolute paths behind `--`, so no name is taken for a flag. */
export async function planWords(...given: Parameters<typeof planArgument>): Promise<Result<string[]>> {
  return mapped(await planArgument(...given), (file) => (file === null ? [] : ['--', file]))
}

/** Null: the request names no plan. */
export async function planArgument(
  plan: PlanInput,
  { project, context }: { project: Pick<Project, 'repo'>; context: Pick<ServerContext, 'plansFolder'> },
): Promise<Result<string | null>> {
  if (plan === undefined) return ok(null)
  if (typeof plan === 'string') return fileInside(plan, project.repo)
  return ok(await keepText(plan.text, plan.name ?? 'plan', context.plansFolder))
}

/** Follows links: their target has to be inside, too. */
export async function fileInside(path: string, repo: string): Promise<Result<string>> {
  if (path.includes('\0')) return refuse(problem('this is no path'))
  const found = await realpath(resolve(repo, path)).catch(() => null)
  const top = await realpath(repo)
  if (found === null) return refuse(problem('no such file', { file: path }))
  if (found === top || found.startsWith(top + sep)) return ok(found)
  return refuse(problem('is outside of the repository', { file: path }))
}

async function keepText(text: string, name: string, folder: string): Promise<string> {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  const path = join(folder, `${slug(basename(name, extname(name)))}-${hash}${extensionOf(text, name)}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  await writeAtomically(path, text)
  forgetOldest(folder)
  return path
}

const EXTENSIONS = ['.md', '.markdown', '.json', '.jsonc', '.jsonl', '.ndjson', '.yaml', '.yml']

function extensionOf(text: string, name: string): string {
  const own = extname(name).toLowerCase()
  if (EXTENSIONS.includes(own)) return own
  if (/^\s*[[{]/.test(text)) return '.json'
  return /^(#|---\n|\s*- \[)/.test(text) && !/^tasks:/m.test(text) ? '.md' : '.yaml'
}

function forgetOldest(folder: string): void {
  const files = readdirSync(folder).map((name) => join(folder, name))
  if (files.length <= SERVER_LIMITS.plansKept) return
  const dated = files.map((path) => ({ path, at: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
  dated.sort((a, b) => a.at - b.at)
  for (const { path } of dated.slice(0, files.length - SERVER_LIMITS.plansKept)) rmSync(path, { force: true })
}
