import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OriginFile, planOrigin } from '../../../../src/workloads/formats/write-back/plan-file-at-start.ts'
import { renamedFiles } from '../../../../src/workloads/formats/write-back/renamed-files.ts'
import { openSource } from '../../../../src/workloads/plan/source.ts'
import { knownFormat } from '../status/written.ts'

const task = (name: string, more = '', status = 'open') =>
  `---\nname: ${name}\nstatus: ${status}\nparallel: true\n${more}---\n# ${name}\n\nDo it.\n`

/** What a run has kept of these files. */
function kept(texts: Record<string, string>): OriginFile[] {
  const files = Object.entries(texts).map(([file, text]) => ({ file, text }))
  const source = openSource(files, 'epic', {})
  assert.ok(source.ok, JSON.stringify(source))
  return planOrigin(source.value, files, null)?.files ?? []
}

function renamed(before: Record<string, string>, now: Record<string, string>): Record<string, string | undefined> {
  const others = Object.entries(now).map(([file, text]) => ({ file, text }))
  const found = renamedFiles(knownFormat('ccpm'), kept(before), others)
  return Object.fromEntries([...found].map(([path, file]) => [path, `${file.path} ${file.entries[0]?.source}`]))
}

test('a task file is found under the number of its issue, with the new numbers in it', () => {
  const before = {
    'e/001.md': task('Log in'),
    'e/002.md': task('Log out', 'depends_on: [001]\n'),
    'e/003.md': task('See 002', 'depends_on: [001, 002]\n'),
  }
  const now = {
    'e/41.md': task('Log in', 'github: https://github.com/ada/shop/issues/41\n', 'closed'),
    'e/42.md': task('Log out', 'depends_on: [41]\n', 'closed'),
    'e/43.md': task('See 42', 'depends_on: [41, 42]\n'),
    'e/notes.md': '# Notes\n',
  }
  assert.deepEqual(renamed(before, now), {
    'e/001.md': 'e/41.md 41',
    'e/002.md': 'e/42.md 42',
    'e/003.md': 'e/43.md 43',
  })
})

test('what may be any of several is nobody, unless one has the very same words', () => {
  const before = { 'e/001.md': task('Move table 1'), 'e/002.md': task('Move table 2') }
  const now = { 'e/41.md': task('Move table 1'), 'e/42.md': task('Move table 2') }
  assert.deepEqual(renamed(before, now), { 'e/001.md': 'e/41.md 41', 'e/002.md': 'e/42.md 42' })
  const copies = { 'e/41.md': task('Move table 1'), 'e/42.md': task('Move table 1') }
  assert.deepEqual(renamed({ 'e/001.md': task('Move table 1') }, copies), {})
  assert.deepEqual(renamed({ 'e/001.md': task('Log in') }, { 'e/41.md': task('Log in quickly') }), {})
})
