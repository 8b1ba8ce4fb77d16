import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { EngineRepository } from '../../../src/git/engine/engine-repository.ts'
import { mergeOnto } from '../../../src/git/landing/merge-onto.ts'
import { publish } from '../../../src/git/user/publish.ts'
import { inspect, resolveCommit } from '../../../src/git/user/repository.ts'
import { makeRepository, runGit, type TestRepository, temporaryFolder, write } from '../../rig/repository.ts'
import { lease, openEngine, taken } from '../engine.ts'

async function problemsOf(path: string): Promise<string> {
  const result = await inspect(path)
  return result.ok ? '' : result.problems.map((problem) => problem.message).join('\n')
}

test('a plain repository, from a folder below its top', async () => {
  await using repository = await makeRepository()
  const result = await inspect(join(repository.top, 'src'))
  assert.ok(result.ok)
  const { top, gitDir, commonDir, headBranch, head, identity, bare, shallow, submodules, sparse, warnings } =
    result.value
  assert.deepEqual(
    { top, gitDir, commonDir, headBranch, head, identity, bare, shallow, submodules, sparse, warnings },
    {
      top: repository.top,
      gitDir: join(repository.top, '.git'),
      commonDir: join(repository.top, '.git'),
      headBranch: 'main',
      head: repository.git('rev-parse', 'HEAD'),
      identity: { name: 'Test Person', email: 'test@example.com' },
      bare: false,
      shallow: false,
      submodules: false,
      sparse: false,
      warnings: [],
    },
  )
})

const REFUSED: Record<string, { arrange: (repository: TestRepository) => Promise<void>; expect: RegExp }> = {
  'a partial clone': {
    arrange: async (repository) => {
      repository.git('config', 'remote.origin.promisor', 'true')
    },
    expect: /partial clone.*--refetch/,
  },
  'Git LFS': {
    arrange: async (repository) => {
      await repository.write('assets/.gitattributes', '# filter=none\n*.psd filter=lfs diff=lfs\n')
      repository.commit('lfs')
    },
    expect: /Git LFS/,
  },
  'a filter that is configured': {
    arrange: async (repository) => {
      await repository.write('.gitattributes', 'secret filter=crypt\n')
      repository.git('config', 'filter.crypt.clean', 'cat')
      repository.commit('crypt')
    },
    expect: /"crypt"/,
  },
  'a filter in info/attributes': {
    arrange: async (repository) => {
      await repository.write('.git/info/attributes', '* filter=crypt\n')
      repository.git('config', 'filter.crypt.smudge', 'cat')
    },
    expect: /"crypt"/,
  },
  'a branch named espalier': {
    arrange: async (repository) => {
      repository.git('branch', 'espalier')
    },
    expect: /branch named `espalier`/,
  },
}
for (const [what, { arrange, expect }] of Object.entries(REFUSED)) {
  test(`${what} is refused with the reason`, async () => {
    await using repository = await makeRepository()
    await arrange(repository)
    assert.match(await problemsOf(repository.top), expect)
  })
}

test('looking at a partial clone fetches nothing', async () => {
  await using repository = await makeRepository()
  await repository.write('.gitattributes', '* text\n')
  repository.commit('attributes')
  repository.git('config', 'uploadpack.allowFilter', 'true')
  const clone = repository.at('clone')
  runGit(repository.path, ['clone', '-q', '--no-checkout', '--filter=tree:0', `file://${repository.top}`, clone])
  const objects = () => runGit(clone, ['count-objects', '-v'])
  const before = objects()
  assert.match(await problemsOf(clone), /partial clone/)
  assert.equal(objects(), before)
})

test('detached, linked and bare: where HEAD is and where the parts are', async () => {
  await using repository = await makeRepository()
  const head = repository.git('rev-parse', 'HEAD')
  const commonDir = join(repository.top, '.git')
  repository.git('worktree', 'add', '-q', '-b', 'side', repository.at('linked'))
  repository.git('clone', '-q', '--bare', repository.top, repository.at('bare.git'))
  repository.git('checkout', '-q', '--detach')
  const [detached, linked, bare] = [repository.top, repository.at('linked'), repository.at('bare.git')]
  const layouts = await Promise.all(
    [detached, linked, bare].map(async (path) => {
      const result = await inspect(path)
      assert.ok(result.ok)
      const { top, gitDir, commonDir, headBranch, head, bare } = result.value
      return { top, gitDir, commonDir, headBranch, head, bare }
    }),
  )
  assert.deepEqual(layouts, [
    { top: detached, gitDir: commonDir, commonDir, headBranch: null, head, bare: false },
    { top: linked, gitDir: join(commonDir, 'worktrees', 'linked'), commonDir, headBranch: 'side', head, bare: false },
    { top: bare, gitDir: bare, commonDir: bare, headBranch: 'main', head, bare: true },
  ])
})

test('a refusal names the file and line of the attribute', async () => {
  await using repository = await makeRepository()
  await repository.write('as sets/.gitattributes', '# first\n*.psd filter=lfs\n')
  repository.commit('lfs')
  const result = await inspect(repository.top)
  assert.ok(!result.ok)
  assert.deepEqual([result.problems[0]?.file, result.problems[0]?.line], ['as sets/.gitattributes', 2])
})

test('a filter attribute without a driver does nothing, for the user as for us', async () => {
  await using repository = await makeRepository()
  await repository.write('.gitattributes', 'secret filter=crypt\n')
  repository.commit('crypt')
  assert.equal(await problemsOf(repository.top), '')
})

test('an unborn branch, no repository, no folder, a git directory: each gets a clear line', async () => {
  await using unborn = await makeRepository({ files: {} })
  assert.match(await problemsOf(unborn.top), /The branch main has no commit yet/)
  await using folder = await temporaryFolder()
  assert.match(await problemsOf(folder.path), /not inside a git repository/)
  assert.match(await problemsOf(folder.at('none')), /is not a folder/)
  await using repository = await makeRepository()
  assert.match(await problemsOf(join(repository.top, '.git')), /inside a git directory/)
})

test('another owner of the repository is explained', { skip: process.getuid?.() !== 0 }, async () => {
  await using repository = await makeRepository()
  const { chown } = await import('node:fs/promises')
  await chmod(repository.path, 0o755)
  await chown(repository.top, 12345, 12345)
  await chown(join(repository.top, '.git'), 12345, 12345)
  assert.match(await problemsOf(repository.top), /belongs to another user.*safe\.directory/)
})

test('a missing identity is filled in with a warning', async () => {
  await using repository = await makeRepository()
  repository.git('config', '--unset', 'user.name')
  repository.git('config', '--unset', 'user.email')
  const before = { ...process.env }
  Object.assign(process.env, { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' })
  for (const name of ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL']) delete process.env[name]
  try {
    const result = await inspect(repository.top)
    assert.ok(result.ok)
    assert.equal(result.value.identity.name, 'Espalier')
    assert.match(result.value.warnings.map((warning) => warning.message).join(), /user\.name and user\.email/)
  } finally {
    for (const name of ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_NOSYSTEM']) delete process.env[name]
    Object.assign(process.env, before)
  }
})

test('GIT_DIR of a surrounding git command does not lead us elsewhere', async () => {
  await using repository = await makeRepository()
  await using other = await makeRepository()
  process.env.GIT_DIR = join(other.top, '.git')
  try {
    const result = await inspect(repository.top)
    assert.ok(result.ok)
    assert.equal(result.value.gitDir, join(repository.top, '.git'))
  } finally {
    delete process.env.GIT_DIR
  }
})

test('revisions are resolved, and what is none is refused', async () => {
  await using repository = await makeRepository()
  const engine = await openEngine(repository)
  const head = repository.git('rev-parse', 'HEAD')
  repository.git('tag', '-a', 'v1', '-m', 'v1')
  for (const rev of ['HEAD', 'main', 'v1', head, head.slice(0, 10)]) {
    assert.deepEqual(await resolveCommit(engine.user, rev), { ok: true, value: head })
  }
  for (const rev of ['', '--all', 'nope', 'main\nHEAD', 'HEAD:README.md', '$(id)', '1'.repeat(40)]) {
    assert.equal((await resolveCommit(engine.user, rev)).ok, false)
  }
})

test('a repository moved elsewhere is found again by the engine’s', async () => {
  await using repository = await makeRepository()
  await openEngine(repository)
  const { rename } = await import('node:fs/promises')
  await rename(repository.top, repository.at('moved'))
  const engine = await openEngine(repository, repository.at('moved'))
  assert.equal(runGit(engine.gitDir, ['cat-file', '-t', engine.user.head]), 'commit')
})

async function published(engine: EngineRepository, work: string | null): Promise<void> {
  assert.ok(work)
  const base = engine.user.head
  const merge = await mergeOnto(engine, { head: base, work, message: 'm\n' })
  assert.ok(merge.kind === 'merged')
  const result = await publish(engine, { run: 'run', base, to: merge.commit })
  assert.equal(result.ok, true, JSON.stringify(result))
  assert.equal(runGit(engine.user.top, ['rev-parse', 'espalier/run']), merge.commit)
  assert.equal(runGit(engine.user.top, ['fsck', '--no-dangling']), '')
}

const KINDS: Record<string, (from: TestRepository) => Promise<{ repository: TestRepository; top: string }>> = {
  'a shallow clone': async (from) => {
    const top = from.at('shallow')
    runGit(from.path, ['clone', '-q', '--depth=1', `file://${from.top}`, top])
    return { repository: from, top }
  },
  'a linked worktree': async (from) => {
    from.git('worktree', 'add', '-q', '-b', 'linked', from.at('linked'))
    return { repository: from, top: from.at('linked') }
  },
  'a bare repository': async (from) => {
    runGit(from.path, ['clone', '-q', '--bare', from.top, from.at('bare.git')])
    return { repository: from, top: from.at('bare.git') }
  },
  'a clone that borrows by a relative path': async (from) => {
    runGit(from.path, ['clone', '-q', '--shared', from.top, from.at('borrower')])
    await writeFile(from.at('borrower/.git/objects/info/alternates'), '../../../repo/.git/objects\n')
    return { repository: from, top: from.at('borrower') }
  },
  'a sparse checkout': async (from) => {
    from.git('sparse-checkout', 'set', 'src')
    return { repository: from, top: from.top }
  },
  'a repository in a folder with a colon, a quote and a space': async (from) => {
    const folder = from.at(`we:ird "fol' der`)
    await mkdir(folder)
    runGit(from.path, ['clone', '-q', from.top, join(folder, 'repo')])
    return { repository: Object.assign(from, { state: join(folder, 'st:ate "x') }), top: join(folder, 'repo') }
  },
}
for (const [what, arrange] of Object.entries(KINDS)) {
  test(`${what} works from checkout to published branch`, async () => {
    await using from = await makeRepository()
    await from.write('second', '2')
    from.commit('second')
    const { repository, top } = await arrange(from)
    const engine = await openEngine(repository, top)
    const { slot, path } = await lease(engine)
    assert.equal(runGit(path, ['status', '--porcelain']), '')
    await write(join(path, 'committed'), 'c')
    runGit(path, ['add', '-A'])
    runGit(path, ['commit', '-qm', 'c'])
    await write(join(path, 'README.md'), 'changed')
    const { commit, paths } = await taken(slot)
    assert.deepEqual(paths, ['README.md', 'committed'])
    await published(engine, commit)
  })
}

test('a sha256 repository works from checkout to published branch', async () => {
  await using repository = await makeRepository({ objectFormat: 'sha256' })
  const engine = await openEngine(repository)
  const { slot, path } = await lease(engine)
  await write(join(path, 'committed'), 'c')
  runGit(path, ['add', '-A'])
  runGit(path, ['commit', '-qm', 'c'])
  await write(join(path, 'work'), 'work')
  const { commit, paths } = await taken(slot)
  assert.equal(commit?.length, 64)
  assert.deepEqual(paths, ['committed', 'work'])
  assert.equal((await lease(engine)).repaired, false)
  await published(engine, commit)
})

test('line ends are checked out and stored as the user’s configuration says', async () => {
  await using repository = await makeRepository({ files: { 'a.txt': '1\n2\n' } })
  repository.git('config', 'core.autocrlf', 'true')
  const engine = await openEngine(repository)
  const { slot, path } = await lease(engine)
  const { readFile } = await import('node:fs/promises')
  assert.equal(await readFile(join(path, 'a.txt'), 'utf8'), '1\r\n2\r\n')
  assert.equal((await taken(slot)).commit, null)
  await write(join(path, 'b.txt'), 'x\r\n')
  const { commit } = await taken(slot)
  assert.equal(runGit(engine.gitDir, ['cat-file', '-s', `${commit}:b.txt`]), '2')
})

test('too many open files are told as such, and a git that is not there as that', async () => {
  await using repository = await makeRepository()
  const said = (PATH = '', ...crowded: string[]) =>
    execFileSync(
      '/bin/sh',
      ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, CROWDED, repository.top, ...crowded],
      {
        encoding: 'utf8',
        env: { ...process.env, PATH },
      },
    )
  const files = 'EMFILE.*allow more open files \\(`ulimit -n`\\)'
  assert.match(said(process.env.PATH, 'crowded'), new RegExp(`${files}.*\\ndoctor: .*${files}`))
  assert.match(
    said('/nowhere'),
    /^git could not be started\. Install git 2\.38 or newer.*\ndoctor: git could not be started$/,
  )
})

const CROWDED = fileURLToPath(new URL('crowded-process.ts', import.meta.url))
