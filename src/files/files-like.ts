// The files below a folder that match one of some globs. Links are not followed, and folders that no glob could lead into
// are not looked at.
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import picomatch from 'picomatch'

export type FoundFile = { path: string; size: number }

/** By their paths from `root`, in the order of these; at most `most`. */
export async function filesLike(root: string, globs: readonly string[], most: number): Promise<FoundFile[]> {
  const isWanted = picomatch([...globs], { dot: true })
  const starts = globs.map((glob) => picomatch.scan(glob).base)
  const leads = (folder: string) =>
    starts.some(
      (start) =>
        start === '' || start === '.' || `${start}/`.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${start}/`),
    )
  const found: FoundFile[] = []
  const open = ['']
  for (let folder = open.pop(); folder !== undefined && found.length < most; folder = open.pop()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (path === '.git') continue
      if (entry.isDirectory() && leads(path)) open.push(path)
      if (!entry.isFile() || !isWanted(path)) continue
      const file = await lstat(join(root, path)).catch(() => null)
      if (file?.isFile()) found.push({ path, size: file.size })
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, most)
}
