// Which writes lie outside the claims, whatever the agent calls the file: with real folders and links.
import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { outsideClaims } from '../../src/agents/outside-claims.ts'
import { type Folder, temporaryFolder } from '../rig/repository.ts'

/** A worktree `w` with `src`, which may be written, and `docs`, which may not, and links between them. */
async function worktree(): Promise<Folder> {
  const folder = await temporaryFolder()
  for (const name of ['w/src', 'w/docs', 'elsewhere']) await mkdir(folder.at(name), { recursive: true })
  await writeFile(folder.at('w/docs/a.md'), '')
  await symlink('../docs', folder.at('w/src/docs'))
  await symlink('../docs/a.md', folder.at('w/src/a.md'))
  await symlink('../docs/new.md', folder.at('w/src/dangling.md'))
  await symlink('src', folder.at('w/sources'))
  await symlink(folder.at('elsewhere'), folder.at('w/src/out'))
  await symlink('loop', folder.at('w/src/loop'))
  await symlink(folder.at('w'), folder.at('link-to-w'))
  return folder
}

const CASES: [path: string, outside: string[]][] = [
  ['src/a.ts', []],
  ['src/new/folder/a.ts', []],
  ['./docs/../src/a.ts', []],
  ['docs/b.md', ['docs/b.md']],
  ['src/../docs/b.md', ['docs/b.md']],
  ['../x', ['../x']],
  ['../w/src/a.ts', []],
  // Through links: the file that would change counts.
  ['src/docs/b.md', ['docs/b.md']],
  ['src/a.md', ['docs/a.md']],
  ['src/dangling.md', ['docs/new.md']],
  ['sources/a.ts', []],
  ['src/out/a.ts', ['src/out/a.ts']],
  ['src/loop', []],
]

test('relative paths, `..` and links', async () => {
  await using folder = await worktree()
  for (const [path, outside] of CASES)
    assert.deepEqual(outsideClaims([path], ['src/**'], folder.at('w')), outside, path)
})

test('absolute paths, by whichever name the worktree has', async () => {
  await using folder = await worktree()
  for (const top of ['w', 'link-to-w'])
    for (const called of ['w', 'link-to-w']) {
      const outside = (path: string) => outsideClaims([folder.at(`${called}/${path}`)], ['src'], folder.at(top))
      assert.deepEqual([outside('src/a.ts'), outside('docs/b.md')], [[], ['docs/b.md']], `${top}, called ${called}`)
    }
  assert.deepEqual(outsideClaims(['/etc/passwd'], ['**'], folder.at('w')), ['/etc/passwd'])
})

test('another case is another file, unless the file system says that it is the same', async () => {
  await using folder = await worktree()
  const [probe] = outsideClaims(['DOCS/a.md'], ['src'], folder.at('w'))
  const ignoresCase = probe === 'docs/a.md'
  assert.deepEqual(outsideClaims(['SRC/a.ts'], ['src'], folder.at('w')), ignoresCase ? [] : ['SRC/a.ts'])
})
