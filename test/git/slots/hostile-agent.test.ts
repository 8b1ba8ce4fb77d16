// An agent may do to its own repository whatever it likes: nothing of it runs in the engine or changes what lands.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFile, chmod, lstat, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { EngineRepository } from '../../../src/git/engine/engine-repository.ts'
import { mergeOnto } from '../../../src/git/landing/merge-onto.ts'
import type { Slot } from '../../../src/git/slots/slot.ts'
import type { Snapshot } from '../../../src/git/slots/snapshot.ts'
import { makeRepository, runGit, type TestRepository, write } from '../../rig/repository.ts'
import { lease, openEngine, take } from '../engine.ts'

type Stage = {
  repository: TestRepository
  engine: EngineRepository
  slot: Slot
  path: string
  dotGit: string
  /** A program that leaves a trace when it runs. */
  trap: string
  agent: (...args: string[]) => string
  commitWork: () => Promise<void>
}
type Expected = 'taken' | 'history-rewritten' | 'worktree-broken' | 'submodule-changed'

const HOSTILE: Record<string, { act: (stage: Stage) => Promise<void>; expect: Expected }> = {
  'hooks, fsmonitor, filters and drivers in its configuration': {
    expect: 'taken',
    act: async ({ agent, commitWork, path, dotGit, trap }) => {
      await commitWork()
      agent('config', 'core.fsmonitor', trap)
      agent('config', 'core.hooksPath', join(dotGit, 'hooks'))
      agent('config', 'filter.evil.clean', trap)
      agent('config', 'filter.evil.smudge', trap)
      agent('config', 'filter.evil.process', trap)
      agent('config', 'merge.evil.driver', trap)
      agent('config', 'diff.evil.textconv', trap)
      agent('config', 'core.sshCommand', trap)
      agent('config', 'include.path', '/etc/passwd')
      for (const hook of ['pre-commit', 'post-index-change', 'reference-transaction', 'post-checkout']) {
        await write(join(dotGit, 'hooks', hook), `#!/bin/sh\n${trap}\n`)
        await chmod(join(dotGit, 'hooks', hook), 0o755)
      }
      await write(join(path, '.gitattributes'), '* filter=evil merge=evil diff=evil\n')
    },
  },
  'a populated submodule with a filter of its own': {
    expect: 'submodule-changed',
    act: async ({ agent, path, trap }) => {
      await mkdir(join(path, 'nested'))
      const nested = (...args: string[]) => runGit(join(path, 'nested'), args)
      nested('init', '-q')
      await write(join(path, 'nested/file'), 'x')
      nested('add', '-A')
      nested('commit', '-qm', 'nested')
      agent('-c', 'advice.addEmbeddedRepo=false', 'add', '-A')
      agent('commit', '-qm', 'a gitlink')
      await write(join(path, 'nested/.gitattributes'), '* filter=evil\n')
      await write(join(path, 'nested/file'), 'y')
      nested('config', 'filter.evil.clean', trap)
      nested('config', 'core.fsmonitor', trap)
    },
  },
  'alternates that lead to another repository': {
    expect: 'worktree-broken',
    act: async ({ repository, agent, dotGit }) => {
      const other = repository.at('other')
      await mkdir(other)
      runGit(other, ['init', '-q'])
      await write(join(other, 'secret'), 'secret')
      runGit(other, ['add', '-A'])
      const tree = runGit(other, ['write-tree'])
      await appendFile(join(dotGit, 'objects/info/alternates'), `${join(other, '.git/objects')}\n`)
      agent('reset', '-q', '--soft', agent('commit-tree', tree, '-p', 'HEAD', '-m', 'borrowed'))
    },
  },
  'HEAD that leads out of .git': {
    expect: 'history-rewritten',
    act: async ({ dotGit, repository, engine }) => {
      await writeFile(repository.at('state/slots/x'), engine.user.head)
      await writeFile(join(dotGit, 'HEAD'), 'ref: refs/../../../x\n')
    },
  },
  'HEAD that is a link': {
    expect: 'history-rewritten',
    act: async ({ dotGit, repository, engine }) => {
      await writeFile(repository.at('x'), engine.user.head)
      await rm(join(dotGit, 'HEAD'))
      await symlink(repository.at('x'), join(dotGit, 'HEAD'))
    },
  },
  'HEAD that is a named pipe': {
    expect: 'history-rewritten',
    act: async ({ dotGit }) => {
      await rm(join(dotGit, 'HEAD'))
      execFileSync('mkfifo', [join(dotGit, 'HEAD')])
    },
  },
  'refs that lead in a circle': {
    expect: 'history-rewritten',
    act: async ({ dotGit }) => writeFile(join(dotGit, 'refs/heads/espalier/task'), 'ref: refs/heads/espalier/task\n'),
  },
  'a HEAD that is an option of git': {
    expect: 'history-rewritten',
    act: async ({ dotGit }) => writeFile(join(dotGit, 'HEAD'), '--upload-pack=/bin/false\n'),
  },
  'a folder of refs that is a link': {
    expect: 'history-rewritten',
    act: async ({ dotGit, repository }) => {
      await rm(join(dotGit, 'packed-refs'))
      await rename(join(dotGit, 'refs/heads'), repository.at('heads'))
      await symlink(repository.at('heads'), join(dotGit, 'refs/heads'))
    },
  },
  'packed-refs beyond all bounds': {
    expect: 'history-rewritten',
    act: async ({ dotGit, engine }) => {
      await rm(join(dotGit, 'refs/heads/espalier/task'))
      await writeFile(
        join(dotGit, 'packed-refs'),
        Buffer.alloc(65 << 20, `${engine.user.head} refs/heads/espalier/task\n`),
      )
    },
  },
  'objects in a folder that is a link': {
    expect: 'worktree-broken',
    act: async ({ commitWork, dotGit, repository }) => {
      await commitWork()
      await rename(join(dotGit, 'objects'), repository.at('objects'))
      await symlink(repository.at('objects'), join(dotGit, 'objects'))
    },
  },
  'objects that are named pipes': {
    expect: 'taken',
    act: async ({ commitWork, dotGit }) => {
      await commitWork()
      execFileSync('mkfifo', [join(dotGit, 'objects/pack/multi-pack-index'), join(dotGit, 'objects/info/commit-graph')])
      await rm(join(dotGit, 'objects/info/alternates'))
      execFileSync('mkfifo', [join(dotGit, 'objects/info/alternates')])
    },
  },
  'an object under the name of another': {
    expect: 'worktree-broken',
    act: async ({ agent, commitWork, dotGit }) => {
      await commitWork()
      const at = (id: string) => join(dotGit, 'objects', id.slice(0, 2), id.slice(2))
      const head = at(agent('rev-parse', 'HEAD'))
      const blob = at(agent('rev-parse', 'HEAD:work'))
      await rm(head)
      await rename(blob, head)
    },
  },
  'replace refs and grafts': {
    expect: 'taken',
    act: async ({ agent, commitWork, dotGit, engine }) => {
      await commitWork()
      agent('replace', '--graft', engine.user.head)
      await writeFile(join(dotGit, 'info/grafts'), `${engine.user.head}\n`)
      await writeFile(join(dotGit, 'shallow'), `${engine.user.head}\n`)
    },
  },
  'a commondir file and an index of garbage': {
    expect: 'taken',
    act: async ({ commitWork, dotGit }) => {
      await commitWork()
      await writeFile(join(dotGit, 'commondir'), '../../../../repo/.git\n')
      await writeFile(join(dotGit, 'index'), 'garbage')
    },
  },
  '.git that is a file leading to the user’s repository': {
    expect: 'history-rewritten',
    act: async ({ dotGit, repository }) => {
      await rm(dotGit, { recursive: true })
      await writeFile(dotGit, `gitdir: ${join(repository.top, '.git')}\n`)
    },
  },
  'a tree with an entry named .git': {
    expect: 'worktree-broken',
    act: async ({ agent, path, dotGit }) => {
      const blob = agent('hash-object', '-w', 'README.md')
      const content = Buffer.concat([Buffer.from('100644 .git\0'), Buffer.from(blob, 'hex')])
      await writeFile(join(path, 'raw'), content)
      const tree = agent('hash-object', '-t', 'tree', '-w', '--literally', 'raw')
      await rm(join(path, 'raw'))
      const commit = agent('commit-tree', tree, '-p', 'HEAD', '-m', 'evil')
      await writeFile(join(dotGit, 'refs/heads/espalier/task'), `${commit}\n`)
    },
  },
}

for (const [what, { act, expect }] of Object.entries(HOSTILE)) {
  test(`${what}: ${expect}`, async () => {
    await using repository = await makeRepository()
    await repository.write('second', '2')
    repository.commit('second')
    const engine = await openEngine(repository)
    const { slot, path } = await lease(engine)
    const trap = repository.at('trap')
    await writeFile(trap, `#!/bin/sh\ntouch ${repository.at('sprung')}\ncat\n`)
    await chmod(trap, 0o755)
    const agent = (...args: string[]) => runGit(path, args)
    const commitWork = async () => {
      await write(join(path, 'work'), 'work')
      agent('add', '-A')
      agent('commit', '-qm', 'work')
    }
    // Where git itself puts a branch that has moved, and packs.
    await write(join(path, '.git/refs/heads/espalier/task'), `${engine.user.head}\n`)
    await mkdir(join(path, '.git/objects/pack'))
    await act({ repository, engine, slot, path, dotGit: join(path, '.git'), trap, agent, commitWork })
    await rm(repository.at('sprung'), { force: true })
    await write(join(path, 'left'), 'left')

    const twice = [await take(slot), await take(slot)]
    for (const result of twice) assert.equal(outcomeOf(result), expect)
    const result = twice[0] as Snapshot
    assert.equal(runGit(engine.gitDir, ['cat-file', 'blob', `${result.commit}:left`]), 'left')
    if (result.ok) {
      const merge = await mergeOnto(engine, { head: engine.user.head, work: result.commit as string, message: 'm\n' })
      assert.equal(merge.kind, 'merged')
    }
    await lease(engine)
    assert.equal(agent('status', '--porcelain', '--ignored'), '')
    assert.equal(agent('fsck', '--strict', '--no-dangling'), '')
    assert.equal(await lstat(repository.at('sprung')).catch(() => null), null)
    assert.equal(repository.git('status', '--porcelain'), '')
  })
}

function outcomeOf(result: Snapshot): Expected | string {
  return result.ok ? 'taken' : result.failure.reason
}

test('a merge driver or attribute in the work decides nothing about a landing', async () => {
  await using repository = await makeRepository({ files: { f: '1\n2\n3\n' } })
  const engine = await openEngine(repository)
  const commits: string[] = []
  for (const number of [1, 2]) {
    const { slot, path } = await lease(engine, number)
    await write(join(path, '.gitattributes'), '* merge=ours -merge\nf merge=union\n')
    await write(join(path, 'f'), `1\n${number} was here\n3\n`)
    const result = await take(slot, engine.user.head, `task-${number}`)
    assert.ok(result.ok && result.commit)
    commits.push(result.commit)
  }
  const [head, work] = commits as [string, string]
  const merge = await mergeOnto(engine, { head, work, message: 'm\n' })
  assert.deepEqual(merge, { kind: 'conflict', paths: ['f'] })
})
