// The files of ideas of a search.
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, posix, resolve } from 'node:path'
import picomatch from 'picomatch'
import { LIMITS } from '../../config.ts'
import { ok, type Problem, problem, type Result } from '../../problem.ts'
import type { Idea } from '../../search.ts'

/** Sorted by path, independent of the folder's order. `file`: the search's own; globs are relative to its folder. */
export async function readIdeas(file: string, globs: readonly string[]): Promise<Result<Idea[]>> {
  const folder = dirname(resolve(file))
  const paths = new Set<string>()
  const problems: Problem[] = []
  for (const glob of globs) {
    const found = await matching(folder, glob)
    if (found.length === 0) problems.push(problem(`no file matches \`${glob}\` in ${folder}`, { file }))
    for (const path of found) paths.add(path)
  }
  if (paths.size > LIMITS.ideas)
    problems.push(problem(`${paths.size} ideas are more than a search may have (${LIMITS.ideas})`, { file }))
  if (problems.length > 0) return { ok: false, problems }
  const ideas: Idea[] = []
  for (const path of [...paths].sort(byBytes)) {
    const full = join(folder, path)
    const { size } = await stat(full)
    if (size > LIMITS.ideaBytes) problems.push(problem(`an idea may have ${LIMITS.ideaBytes >> 10} kB`, { file: full }))
    else ideas.push({ path, text: await readFile(full, 'utf8') })
  }
  return problems.length > 0 ? { ok: false, problems } : ok(ideas)
}

async function matching(folder: string, glob: string): Promise<string[]> {
  const { base } = picomatch.scan(glob)
  const plain = posix.normalize(glob)
  if (base === glob || base === '') {
    const found = base === '' ? null : await stat(join(folder, plain)).catch(() => null)
    if (found?.isFile()) return [plain]
  }
  const isMatch = picomatch(plain)
  const entries = await readdir(join(folder, base), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => posix.normalize(posix.relative(folder, posix.join(entry.parentPath, entry.name))))
    .filter((path) => isMatch(path))
}

/** Sorts independent of the machine's language. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
