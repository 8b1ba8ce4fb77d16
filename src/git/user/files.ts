// The paths that the user's repository has: those of HEAD, and of runs whose result is not part of it yet.
import { type GitOptions, gitText } from '../run/git.ts'

/** With the folders they are in, which end with `/`. */
export async function filesOfCheckout(top: string): Promise<ReadonlySet<string>> {
  const user: GitOptions = { cwd: top, config: 'user' }
  const which = ['--no-merged=HEAD', '--sort=-committerdate', `--count=${MOST_RUNS}`, 'refs/heads/espalier/']
  const runs = await gitText(['for-each-ref', '--format=%(objectname)', ...which], user)
  const paths = new Set<string>()
  for (const commit of ['HEAD', ...runs.split('\n').filter((one) => one !== '')]) {
    const listed = await gitText(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit], user)
    for (const path of listed.split('\0')) if (path !== '') addWithFolders(paths, path)
  }
  return paths
}

function addWithFolders(paths: Set<string>, path: string): void {
  paths.add(path)
  for (let position = path.lastIndexOf('/'); position > 0; position = path.lastIndexOf('/', position - 1)) {
    const folder = path.slice(0, position + 1)
    // Those above it are known as well then.
    if (paths.has(folder)) return
    paths.add(folder)
  }
}

/** The newest of them: a repository may have had hundreds of runs that were never landed. */
const MOST_RUNS = 10
