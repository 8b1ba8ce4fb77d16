// The name of a plan that says none: the nearest folder with a name of its own. `specs/003-search/tasks.md` is `003-search`.
import { posix } from 'node:path'
import { slug } from '../../text/slug.ts'

/** `folder`: where relative names begin; undefined where that is not known. */
export function planName(files: readonly string[], folder: string | undefined): string {
  const parts = files.map((file) => partsOf(file, folder))
  const [first = []] = parts
  const shared = files.length === 1 ? withoutEnding(first) : first.slice(0, sharedLength(parts))
  const named = shared.findLast((part) => !USUAL.test(part))
  return slug(named ?? shared.at(-1) ?? '')
}

const USUAL =
  /^\.{0,2}$|^\d[\d.-]*(?:-plan)?$|^\.?(?:tasks?|plans?|issues|beads|implementation[-_]plan|work[-_]?queue|epics?|specs?|docs?|phases?|planning|taskmaster|claude|auto-claude|espalier)$/i

function partsOf(file: string, folder: string | undefined): string[] {
  const path = file.replaceAll('\\', '/')
  return (folder === undefined ? posix.normalize(path) : posix.resolve(folder.replaceAll('\\', '/'), path)).split('/')
}

function withoutEnding(parts: readonly string[]): string[] {
  const last = parts.at(-1) ?? ''
  return [...parts.slice(0, -1), posix.basename(last, posix.extname(last))]
}

/** Number of leading path parts that all files share, file names left aside. */
function sharedLength(all: readonly (readonly string[])[]): number {
  const [first = []] = all
  const most = all.reduce((least, { length }) => Math.min(least, length - 1), first.length)
  for (let position = 0; position < most; position++)
    if (all.some((parts) => parts[position] !== first[position])) return position
  return most
}
