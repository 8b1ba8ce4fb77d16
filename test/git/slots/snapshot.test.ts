import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeRepository, runGit, write } from '../../rig/repository.ts'
import { lease, openEngine, take, taken } from '../engine.ts'

async function started(files?: Record<string, string>) {
  const repository = await makeRepository(files ? { files } : {})
  const engine = await openEngine(repository)
  const { slot, path } = await lease(engine)
  const agent = (...args: string[]) => runGit(path, args)
  const inEngine = (...args: string[]) => runGit(engine.gitDir, args)
  const base = engine.user.head
  return {
    repository,
    engine,
    slot,
    path,
    agent,
    inEngine,
    base,
    [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose](),
  }
}

test('nothing changed gives no commit', async () => {
  await using t = await started()
  const result = await taken(t.slot)
  assert.equal(result.commit, null)
  assert.deepEqual(result.diff, { files: 0, insertions: 0, deletions: 0 })
  assert.equal(t.inEngine('for-each-ref'), '')
})

test('uncommitted work becomes one commit by the user, with trailers, under a ref', async () => {
  await using t = await started()
  await write(join(t.path, 'src/a.txt'), 'a\nb\nc\n')
  const { commit, diff, paths, agentCommits } = await taken(t.slot)
  assert.deepEqual(
    { diff, paths, agentCommits },
    { diff: { files: 1, insertions: 2, deletions: 0 }, paths: ['src/a.txt'], agentCommits: 0 },
  )
  assert.equal(t.inEngine('rev-parse', 'refs/espalier/runs/run/task/1'), commit)
  assert.equal(
    t.inEngine('log', '-1', '--format=%an <%ae> %cn%n%P%n%B', `${commit}`),
    `Test Person <test@example.com> Test Person\n${t.base}\nDo task\n\nEspalier-Run: run\nEspalier-Task: task\nEspalier-Attempt: 1\n`,
  )
})

test('commits of the agent are taken over as they are', async () => {
  await using t = await started()
  await write(join(t.path, 'one'), '1')
  t.agent('add', '-A')
  t.agent('commit', '-qm', 'one')
  await write(join(t.path, 'two'), '2')
  t.agent('add', '-A')
  t.agent('commit', '-qm', 'two')
  const { commit, agentCommits, paths } = await taken(t.slot)
  assert.equal(commit, t.agent('rev-parse', 'HEAD'))
  assert.equal(agentCommits, 2)
  assert.deepEqual(paths, ['one', 'two'])
  assert.equal(t.inEngine('log', '-1', '--format=%an', `${commit}`), 'Agent')
  assert.equal(t.inEngine('fsck', '--connectivity-only', `${commit}`), '')
})

test('what is left uncommitted on top of commits becomes a last commit', async () => {
  await using t = await started()
  await write(join(t.path, 'one'), '1')
  t.agent('add', '-A')
  t.agent('commit', '-qm', 'one')
  await write(join(t.path, 'two'), '2')
  const { commit, agentCommits, paths } = await taken(t.slot)
  assert.equal(t.inEngine('rev-parse', `${commit}^`), t.agent('rev-parse', 'HEAD'))
  assert.equal(agentCommits, 1)
  assert.deepEqual(paths, ['one', 'two'])
})

test('a file committed although it is ignored stays, one only added to the index does not', async () => {
  await using t = await started({ '.gitignore': '*.log\n' })
  await write(join(t.path, 'kept.log'), 'x')
  t.agent('add', '-f', 'kept.log')
  t.agent('commit', '-qm', 'force')
  await write(join(t.path, 'other.log'), 'x')
  await write(join(t.path, 'work'), 'x')
  assert.deepEqual((await taken(t.slot)).paths, ['kept.log', 'work'])
})

test('commits that cancel each other out are no change', async () => {
  await using t = await started()
  await write(join(t.path, 'one'), '1')
  t.agent('add', '-A')
  t.agent('commit', '-qm', 'one')
  t.agent('rm', '-q', 'one')
  t.agent('commit', '-qm', 'away')
  const { commit, agentCommits } = await taken(t.slot)
  assert.deepEqual([commit, agentCommits], [null, 2])
})

test('packed objects and packed refs of the agent are read', async () => {
  await using t = await started()
  await mkdir(join(t.path, 'many'))
  for (let i = 0; i < 150; i++) await writeFile(join(t.path, 'many', `${i}`), `${i}`)
  t.agent('add', '-A')
  t.agent('commit', '-qm', 'many')
  t.agent('repack', '-adlq')
  t.agent('pack-refs', '--all')
  const { commit, diff } = await taken(t.slot)
  assert.equal(commit, t.agent('rev-parse', 'HEAD'))
  assert.equal(diff.files, 150)
})

test('deletions, renames, modes, links, folders for files and files for folders are seen', async () => {
  await using t = await started({
    del: 'd\n',
    old: 'o\n',
    run: 'r\n',
    link: 'l\n',
    'dir/x': 'x\n',
    file: 'f\n',
    'swap/y': 'y\n',
  })
  await rm(join(t.path, 'del'))
  await rename(join(t.path, 'old'), join(t.path, 'new'))
  await chmod(join(t.path, 'run'), 0o755)
  await rm(join(t.path, 'link'))
  await symlink('../../etc/hostname', join(t.path, 'link'))
  await rm(join(t.path, 'dir'), { recursive: true })
  await writeFile(join(t.path, 'dir'), 'now a file')
  await rm(join(t.path, 'file'))
  await write(join(t.path, 'file/z'), 'now a folder')
  await mkdir(join(t.path, 'empty'))
  await mkdir(t.repository.at('outside'))
  await rename(join(t.path, 'swap'), t.repository.at('outside/swap'))
  await symlink(t.repository.at('outside/swap'), join(t.path, 'swap'))
  // That two of them lead out keeps them from landing, not from being kept.
  const { commit } = await take(t.slot)
  assert.equal(
    t.inEngine('ls-tree', '-r', '--format=%(objectmode) %(path)', `${commit}`),
    ['100644 dir', '100644 file/z', '120000 link', '100644 new', '100755 run', '120000 swap'].join('\n'),
  )
})

test('any name is kept byte for byte', async () => {
  await using t = await started()
  const names = [
    'with space',
    ' lead',
    'trail ',
    'ünï/cödé',
    'new\nline',
    'tab\there',
    '"quoted"',
    '-dash',
    '[glob]*',
    ':colon',
    'back\\slash',
  ]
  for (const name of names) await write(join(t.path, name), name)
  await writeFile(Buffer.concat([Buffer.from(`${t.path}/`), Buffer.from([0x66, 0xff, 0xfe])]), 'not UTF-8')
  const { commit, paths } = await taken(t.slot)
  assert.deepEqual([...paths].sort(), [...names, 'f\ufffd\ufffd'].sort())
  for (const name of names) assert.equal(t.inEngine('cat-file', 'blob', `${commit}:${name}`), name)
  const listed = execFileSync('git', ['ls-tree', '-r', '-z', '--name-only', `${commit}`], { cwd: t.engine.gitDir })
  assert.ok(listed.includes(Buffer.from([0x66, 0xff, 0xfe, 0])))
})

test('.gitignore of the worktree is respected and a big binary is kept', async () => {
  await using t = await started({ '.gitignore': 'dist/\n' })
  await write(join(t.path, 'dist/out.js'), 'x')
  await write(join(t.path, 'sub/.gitignore'), '*.tmp\n')
  await write(join(t.path, 'sub/a.tmp'), 'x')
  const big = randomBytes(8 << 20)
  await writeFile(join(t.path, 'big.bin'), big)
  const { commit, paths, diff } = await taken(t.slot)
  assert.deepEqual(paths, ['big.bin', 'sub/.gitignore'])
  assert.deepEqual(diff, { files: 2, insertions: 1, deletions: 0 })
  assert.equal(t.inEngine('cat-file', '-s', `${commit}:big.bin`), String(big.length))
})

test('a named pipe in place of a file means that the file is gone', async () => {
  await using t = await started()
  await rm(join(t.path, 'README.md'))
  execFileSync('mkfifo', [join(t.path, 'README.md'), join(t.path, 'other')])
  assert.deepEqual((await taken(t.slot)).paths, ['README.md'])
})

test('taken twice it gives the same tree; the files stay as they are', async () => {
  await using t = await started()
  await write(join(t.path, 'work'), 'x')
  const one = await taken(t.slot)
  const two = await taken(t.slot)
  assert.equal(one.tree, two.tree)
  assert.equal(await readFile(join(t.path, 'work'), 'utf8'), 'x')
})

for (const [what, damage] of Object.entries({
  missing: (index) => rm(index),
  'cut off': (index) => truncate(index, 80),
  locked: (index) => writeFile(`${index}.lock`, ''),
} satisfies Record<string, (index: string) => Promise<void>>)) {
  test(`with an index that is ${what} the work is taken all the same`, async () => {
    await using t = await started()
    await write(join(t.path, 'src/a.txt'), 'changed')
    await rm(join(t.path, 'README.md'))
    await damage(t.slot.index)
    assert.deepEqual((await taken(t.slot)).paths, ['README.md', 'src/a.txt'])
  })
}

test('a worktree that vanished or became a link is a failure', async () => {
  await using t = await started()
  await rename(t.path, t.repository.at('moved'))
  assert.equal(reasonOf(await take(t.slot)), 'worktree-broken')
  await symlink(t.repository.at('moved'), t.path)
  assert.equal(reasonOf(await take(t.slot)), 'worktree-broken')
})

for (const [kills, reason] of [
  [2, null],
  [1_000, 'worktree-broken'],
] as const) {
  test(`git killed ${kills} times while the work is kept: ${reason ?? 'it is kept all the same'}`, async (context) => {
    await using t = await started()
    await write(join(t.path, 'new.txt'), 'work')
    const [bin, left] = [t.repository.at('bin'), t.repository.at('kills')]
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim()
    const program = `#!/bin/sh\nn=$(cat '${left}')\n[ "$n" -gt 0 ] && { echo $((n - 1)) > '${left}'; kill -9 $$; }\nexec '${real}' "$@"\n`
    await write(left, `${kills}`)
    await write(join(bin, 'git'), program)
    await chmod(join(bin, 'git'), 0o755)
    const path = process.env.PATH
    context.after(() => {
      process.env.PATH = path
    })
    process.env.PATH = `${bin}:${path}`
    assert.equal(reasonOf(await take(t.slot)), reason)
    assert.ok(Number(await readFile(left, 'utf8')) < kills, 'git was killed')
  })
}

function reasonOf(result: Awaited<ReturnType<typeof take>>): string | null {
  return result.ok ? null : result.failure.reason
}

type Started = Awaited<ReturnType<typeof started>>
const commitFile = async (t: Started, name: string) => {
  await write(join(t.path, name), name)
  t.agent('add', '-A')
  t.agent('commit', '-qm', name)
}

for (const [what, act] of Object.entries({
  'on another branch': async (t) => {
    t.agent('switch', '-qc', 'my-feature')
    await commitFile(t, 'work')
  },
  'on a detached HEAD': async (t) => {
    t.agent('switch', '-q', '--detach')
    await commitFile(t, 'work')
  },
  'with an amended commit of its own': async (t) => {
    await commitFile(t, 'work')
    t.agent('commit', '-q', '--amend', '-m', 'better')
  },
  'with a merge of its own branches': async (t) => {
    t.agent('switch', '-qc', 'side')
    await commitFile(t, 'work')
    t.agent('switch', '-q', 'espalier/task')
    t.agent('merge', '-q', '--no-ff', '-m', 'merge', 'side')
  },
  'after going back to the base': async (t) => {
    await commitFile(t, 'work')
    t.agent('reset', '-q', '--soft', 'HEAD~1')
  },
} satisfies Record<string, (t: Started) => Promise<void>>)) {
  test(`work ${what} is fine`, async () => {
    await using t = await started()
    await act(t)
    assert.deepEqual((await taken(t.slot)).paths, ['work'])
  })
}

for (const [what, act] of Object.entries({
  'amending the base': async (t) => {
    await write(join(t.path, 'work'), 'work')
    t.agent('add', '-A')
    t.agent('commit', '-q', '--amend', '-m', 'rewritten')
  },
  'going back before the base': async (t) => {
    t.agent('reset', '-q', '--soft', 'HEAD~1')
    await write(join(t.path, 'work'), 'work')
  },
  'an orphan branch': async (t) => {
    t.agent('switch', '-q', '--orphan', 'fresh')
    await commitFile(t, 'work')
  },
  'an orphan branch without a commit': async (t) => {
    t.agent('checkout', '-q', '--orphan', 'fresh')
    await write(join(t.path, 'work'), 'work')
  },
  'a new repository': async (t) => {
    await rm(join(t.path, '.git'), { recursive: true })
    t.agent('init', '-q')
    await commitFile(t, 'work')
  },
  'removing .git': async (t) => {
    await rm(join(t.path, '.git'), { recursive: true })
    await write(join(t.path, 'work'), 'work')
  },
} satisfies Record<string, (t: Started) => Promise<void>>)) {
  test(`${what} is a rewritten history, and the work is kept`, async () => {
    await using repository = await makeRepository()
    await repository.write('second', '2')
    repository.commit('second')
    const engine = await openEngine(repository)
    const { slot, path } = await lease(engine)
    const agent = (...args: string[]) => runGit(path, args)
    await act({ slot, path, agent } as unknown as Started)
    const result = await take(slot)
    assert.equal(reasonOf(result), 'history-rewritten')
    assert.equal(runGit(engine.gitDir, ['cat-file', 'blob', `${result.commit}:work`]), 'work')
    assert.equal(runGit(engine.gitDir, ['rev-parse', 'refs/espalier/runs/run/task/1']), result.commit)
    assert.equal(runGit(engine.gitDir, ['merge-base', `${result.commit}`, engine.user.head]), engine.user.head)
  })
}

test('a nested repository does not land, and its files are kept', async () => {
  await using t = await started()
  await mkdir(join(t.path, 'vendor/lib'), { recursive: true })
  runGit(join(t.path, 'vendor/lib'), ['init', '-q'])
  await write(join(t.path, 'vendor/lib/code.c'), 'int x;')
  await write(join(t.path, 'work'), 'work')
  const result = await take(t.slot)
  assert.equal(reasonOf(result), 'submodule-changed')
  assert.deepEqual(!result.ok && result.failure.paths, ['vendor/lib'])
  assert.equal(t.inEngine('cat-file', 'blob', `${result.commit}:vendor/lib/code.c`), 'int x;')
  await lease(t.engine)
  assert.equal(await lstat(join(t.path, 'vendor')).catch(() => null), null)
})

test('a submodule that is left alone is no change, one that moves does not land', async () => {
  await using library = await makeRepository()
  await using repository = await makeRepository()
  repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.top, 'lib')
  repository.commit('with a submodule')
  const engine = await openEngine(repository)
  const { slot, path } = await lease(engine)
  assert.equal((await taken(slot)).commit, null)
  await rm(join(path, 'lib'), { recursive: true })
  assert.equal((await taken(slot)).commit, null)

  await lease(engine)
  runGit(path, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init'])
  assert.equal((await taken(slot)).commit, null)
  runGit(join(path, 'lib'), ['commit', '-q', '--allow-empty', '-m', 'moved'])
  const moved = await take(slot)
  assert.equal(reasonOf(moved), 'submodule-changed')
  runGit(path, ['commit', '-qam', 'move it'])
  assert.equal(reasonOf(await take(slot)), 'submodule-changed')

  await lease(engine)
  assert.deepEqual(await readdir(join(path, 'lib')), [])
  runGit(path, ['rm', '-q', '--cached', 'lib', '.gitmodules'])
  await rm(join(path, '.gitmodules'))
  await rm(join(path, 'lib'), { recursive: true })
  assert.equal(reasonOf(await take(slot)), 'submodule-changed')
})
