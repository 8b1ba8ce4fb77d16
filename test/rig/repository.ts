// Real repositories in temporary folders, for tests. The person's own git configuration has no part in them.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants, mkdirSync, writeFileSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export class Folder implements AsyncDisposable {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  at(...names: string[]): string {
    return join(this.path, ...names)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 3 })
  }
}

export async function temporaryFolder(): Promise<Folder> {
  return new Folder(await realpath(await mkdtemp(join(tmpdir(), 'espalier-test-'))))
}

/** A folder that holds a repository in `repo`; its state folder would be `state`. */
export class TestRepository extends Folder {
  readonly top: string
  readonly state: string

  constructor(folder: string) {
    super(folder)
    this.top = join(folder, 'repo')
    this.state = join(folder, 'state')
  }

  git(...args: string[]): string {
    return runGit(this.top, args)
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    await write(join(this.top, path), content)
  }

  /** Commits everything in the checkout and says which commit that is. */
  commit(message: string): string {
    this.git('add', '-A')
    this.git('commit', '-q', '--allow-empty', '-m', message)
    return this.git('rev-parse', 'HEAD')
  }
}

export type RepositoryOptions = { objectFormat?: 'sha1' | 'sha256'; files?: Record<string, string> }

/** With one commit on `main`, unless there are no files to commit. */
export async function makeRepository(options: RepositoryOptions = {}): Promise<TestRepository> {
  const repository = new TestRepository((await temporaryFolder()).path)
  await mkdir(repository.top)
  const key = JSON.stringify(options)
  const known = made.get(key)
  if (known) putInto(repository, known)
  else {
    await makeWithGit(repository, options)
    made.set(key, await contentOf(repository.top))
  }
  return repository
}

/** The same repository is asked for again and again, and six git processes take longer than twenty small files. */
const made = new Map<string, Entry[]>()

async function makeWithGit(repository: TestRepository, options: RepositoryOptions): Promise<void> {
  repository.git('init', '-q', '-b', 'main', `--object-format=${options.objectFormat ?? 'sha1'}`)
  repository.git('config', 'user.name', 'Test Person')
  repository.git('config', 'user.email', 'test@example.com')
  const files = options.files ?? { 'README.md': 'read me\n', 'src/a.txt': 'a\n', 'src/b.txt': 'b\n' }
  for (const [path, content] of Object.entries(files)) await repository.write(path, content)
  if (Object.keys(files).length > 0) repository.commit('first')
}

/** `content` is null for a folder. */
type Entry = { path: string; mode: number; content: Uint8Array | null }

/** Folders before what is in them, apart from the samples of hooks that git puts into every repository. */
async function contentOf(top: string): Promise<Entry[]> {
  const paths = (await readdir(top, { recursive: true })).filter((path) => !path.endsWith('.sample')).sort()
  const entries = paths.map(async (path) => {
    const { mode } = await lstat(join(top, path))
    const isFolder = (mode & S_IFMT) === S_IFDIR
    return { path, mode, content: isFolder ? null : await readFile(join(top, path)) }
  })
  return Promise.all(entries)
}

const { S_IFMT, S_IFDIR } = constants

function putInto(repository: TestRepository, entries: Entry[]): void {
  for (const { path, mode, content } of entries) {
    const full = join(repository.top, path)
    if (content === null) mkdirSync(full)
    else writeFileSync(full, content, { mode })
  }
  // The index describes the files of the first one.
  repository.git('update-index', '-q', '--refresh')
}

export async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

export function runGit(cwd: string, args: readonly string[], env: Record<string, string> = {}): string {
  return execFileSync('git', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      LC_ALL: 'C',
      GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
      GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
      GIT_AUTHOR_NAME: 'Agent',
      GIT_AUTHOR_EMAIL: 'agent@example.com',
      GIT_COMMITTER_NAME: 'Agent',
      GIT_COMMITTER_EMAIL: 'agent@example.com',
      ...env,
    },
  }).replace(/\n$/, '')
}

/** Kind, permissions and content of everything below the folder, apart from what `ignore` names. */
export async function fingerprint(folder: string, ignore: (path: string) => boolean): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const walk = async (relative: string): Promise<void> => {
    for (const name of await readdir(join(folder, relative))) {
      const path = relative === '' ? name : `${relative}/${name}`
      if (ignore(path)) continue
      const full = join(folder, path)
      const stat = await lstat(full)
      const content = stat.isFile() ? await readFile(full) : stat.isSymbolicLink() ? await readlink(full) : ''
      found.set(path, `${stat.mode.toString(8)} ${createHash('sha256').update(content).digest('hex')}`)
      if (stat.isDirectory()) await walk(path)
    }
  }
  await walk('')
  return found
}
