import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flaggedBy, protectedFailure } from '../../src/attempt/inspect-work.ts'
import { report } from '../../src/index.ts'
import { Rig } from '../rig/rig.ts'
import { workspaceAt } from '../rig/workspace-at.ts'

const OBEYED = [
  '.github/workflows/ci.yml',
  '.GitHub/workflows/ci.yml',
  '.gitattributes',
  'deep/.gitattributes',
  '.gitmodules',
  '.gitignore',
  '.gitlab-ci.yml',
  'ci/.gitlab-ci.build.yml',
  '.gitpod.Dockerfile',
  '.gitleaks.toml',
  '.githooks/pre-commit',
  '.husky/pre-push',
  '.claude/settings.json',
  'packages/a/.claude/settings.json',
  '.codex/config.toml',
  '.vscode/tasks.json',
  'Jenkinsfile',
  '.pre-commit-config.yaml',
]
const FREE = [
  'README.md',
  'src/hooks/use-thing.ts',
  'github/x',
  'src/git/landing/merge-onto.ts',
  'docs/vscode.md',
  'claude.md',
  '.gitattributes.bak',
  '.gitlab-ci.yml.bak',
  'docs/.gitkeep',
]

test('hooks, CI files and settings of editors and agents are flagged, nothing else', () => {
  const isFlagged = (path: string) => flaggedBy({}, [path], null).flagged !== undefined
  assert.deepEqual([...OBEYED, ...FREE].filter(isFlagged), OBEYED)
  assert.deepEqual(flaggedBy({}, FREE, null), {})
  assert.deepEqual(flaggedBy({}, ['scripts/hooks/x', 'a'], 'scripts/hooks'), {
    flagged: { paths: ['scripts/hooks/x'], count: 1 },
  })
})

test('what is unprotected is neither flagged nor refused', () => {
  const task = { protected: ['.github', 'db/**'], unprotected: ['.github/workflows/docs.yml', '.vscode'] }
  const paths = ['.github/workflows/docs.yml', '.vscode/tasks.json', 'src/a']
  assert.equal(protectedFailure(task, paths), null)
  assert.deepEqual(flaggedBy(task, paths, null), {})
  assert.deepEqual(protectedFailure(task, [...paths, 'db/schema.sql', '.github/x'])?.paths, [
    'db/schema.sql',
    '.github/x',
  ])
  assert.equal(protectedFailure({ protected: [] }, ['.github/x']), null)
})

test('an attempt that changes a protected path fails, is told why when it is tried again, and its work is kept', async () => {
  await using rig = await Rig.open()
  const command = `grep -q 'protected-path' && echo ok > ok.txt || echo changed > src/a.txt`
  const run = await rig.run(
    [
      { id: 'learns', prompt: 'do it', protected: ['src/**'], retries: 1 },
      { id: 'insists', run: 'echo changed > src/b.txt', protected: ['src/**'] },
    ],
    { agent: 'command', command },
  )
  assert.deepEqual(run.statuses(), { learns: 'landed', insists: 'failed' })
  const { failure, history } = run.task('insists')
  assert.equal(failure?.reason, 'protected-path')
  assert.deepEqual(failure?.paths, ['src/b.txt'])
  assert.match(failure?.message ?? '', /src\/b\.txt.*`unprotected`/)
  assert.equal(rig.git('show', `refs/espalier/${run.id}/failed/insists/1:src/b.txt`), 'changed')
  assert.equal(history[0]?.flagged, undefined)
  assert.equal(rig.landedFile(run.outcome, 'src/a.txt'), 'a')
})

test('a flagged path lands, and the journal, the status and every report say so', async () => {
  await using rig = await Rig.open()
  const run = await rig.run([{ id: 'ci', run: 'mkdir -p .github && echo on: push > .github/ci.yml' }])
  assert.deepEqual(run.statuses(), { ci: 'landed' })
  const flagged = { paths: ['.github/ci.yml'], count: 1 }
  assert.deepEqual(run.all('attempt.finished')[0]?.flagged, flagged)
  assert.deepEqual(run.task('ci').history[0]?.flagged, flagged)
  for (const format of ['md', 'json'] as const) {
    const made = await report(await workspaceAt(rig.top), { format })
    assert.ok(made.ok)
    assert.match(made.value.text, /Changed files that other programs run or obey|"flagged":\s*\[\s*\{\s*"task":\s*"ci"/)
  }
})
