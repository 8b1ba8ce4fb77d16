// The plan files of a run that lie in the user's repository, as git names them. The run writes into them how its tasks stand.
import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'

export async function planFilesIn(
  top: string,
  origin: { files: readonly { path: string }[] } | null,
): Promise<string[]> {
  const paths = (origin?.files ?? []).map(({ path }) => realpath(path).catch(() => path))
  const found = (await Promise.all(paths)).map((path) => relative(top, path))
  return found
    .filter((path) => !isAbsolute(path) && path.split(sep)[0] !== '..')
    .map((path) => path.split(sep).join('/'))
}
