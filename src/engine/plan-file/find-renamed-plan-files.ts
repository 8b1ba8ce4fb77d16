// Looks for the files of a run's plan that are not there any more under the name they had when it began.
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { LIMITS } from '../../config.ts'
import {
  type OriginFile,
  type PlanOrigin,
  statusFileOf,
} from '../../workloads/formats/write-back/plan-file-at-start.ts'
import { renamedFiles } from '../../workloads/formats/write-back/renamed-files.ts'
import type { StatusFile } from '../../workloads/formats/write-back/status-writer.ts'
import type { PlanFile } from '../../workloads/plan/source.ts'

/** What a run has kept, with the files under the names they have now; as it is where none was renamed. */
export async function withRenamed(origin: PlanOrigin): Promise<PlanOrigin> {
  const format = statusFileOf(origin.format)
  const renamed = format ? await findRenamed(format, origin.files) : new Map<string, OriginFile>()
  if (renamed.size === 0) return origin
  return { ...origin, files: origin.files.map((file) => renamed.get(file.path) ?? file) }
}

/** By the path it had; only in the folder it was in, and only for formats whose files are renamed. */
export async function findRenamed(format: StatusFile, files: readonly OriginFile[]): Promise<Map<string, OriginFile>> {
  const gone = format.renamesFiles ? files.filter(({ path }) => !existsSync(path)) : []
  const known = new Set(files.map(({ path }) => path))
  const renamed = new Map<string, OriginFile>()
  for (const [folder, mine] of Map.groupBy(gone, ({ path }) => dirname(path))) {
    const others = await filesLike(mine, folder, known)
    for (const [path, now] of renamedFiles(format, mine, others)) renamed.set(path, now)
  }
  return renamed
}

const FILE_BYTES = 1 << 20

async function filesLike(gone: readonly OriginFile[], folder: string, known: Set<string>): Promise<PlanFile[]> {
  const kinds = new Set(gone.map(({ path }) => extname(path)))
  const names = (await readdir(folder).catch(() => [])).filter((name) => kinds.has(extname(name)))
  const files: PlanFile[] = []
  for (const file of names.slice(0, LIMITS.planFiles).map((name) => join(folder, name))) {
    const text = known.has(file) ? null : await textOf(file)
    if (text !== null) files.push({ file, text })
  }
  return files
}

/** Null for what cannot be read: somebody may be about to rename it. */
async function textOf(file: string): Promise<string | null> {
  try {
    const found = await stat(file)
    return found.isFile() && found.size <= FILE_BYTES ? await readFile(file, 'utf8') : null
  } catch {
    return null
  }
}
