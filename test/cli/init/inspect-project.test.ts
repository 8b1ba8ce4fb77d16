import assert from 'node:assert/strict'
import { chmod } from 'node:fs/promises'
import { test } from 'node:test'
import { inspectProject } from '../../../src/cli/init/inspect-project.ts'
import { type Folder, temporaryFolder, write } from '../../rig/repository.ts'

/** A folder with these files, and one with empty programs of these names. */
async function project(files: Record<string, string>, programs: readonly string[]) {
  const folder = await temporaryFolder()
  for (const [name, text] of Object.entries(files)) await write(folder.at('shop', name), text)
  for (const name of programs) await addProgram(folder, name)
  return { folder, look: () => inspectProject(folder.at('shop'), { PATH: folder.at('bin') }) }
}

async function addProgram(folder: Folder, name: string): Promise<void> {
  await write(folder.at('bin', name), '')
  await chmod(folder.at('bin', name), 0o755)
}

const NODE = '{"scripts": {"test": "node --test"}, "devDependencies": {"a": "1"}}'

const kinds: [
  files: Record<string, string>,
  program: string,
  language: string,
  test: string | null,
  setup: string[],
][] = [
  [{ 'package.json': NODE, 'package-lock.json': '' }, 'npm', 'JavaScript', 'npm test', ['npm ci']],
  [
    { 'package.json': NODE, 'pnpm-lock.yaml': '', 'tsconfig.json': '' },
    'pnpm',
    'TypeScript',
    'pnpm test',
    ['pnpm install --frozen-lockfile'],
  ],
  [
    { 'package.json': '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}' },
    'npm',
    'JavaScript',
    null,
    [],
  ],
  [{ 'package.json': 'not json' }, 'npm', 'JavaScript', null, []],
  [{ 'Cargo.toml': '' }, 'cargo', 'Rust', 'cargo test', ['cargo fetch']],
  [{ 'go.mod': '' }, 'go', 'Go', 'go test ./...', ['go mod download']],
  [{ 'pyproject.toml': '[tool.pytest]' }, 'python3', 'Python', 'python3 -m pytest', []],
  [
    { 'pyproject.toml': '', 'uv.lock': '', 'tests/test_a.py': '' },
    'uv',
    'Python',
    'uv run python -m unittest discover',
    ['uv sync --frozen'],
  ],
  [{ 'pyproject.toml': '' }, 'python3', 'Python', null, []],
  [{ Gemfile: '', 'spec/a_spec.rb': '' }, 'bundle', 'Ruby', 'bundle exec rspec', ['bundle install']],
  [{ 'pom.xml': '' }, 'mvn', 'Java', 'mvn -q test', []],
  [{ 'shop.sln': '' }, 'dotnet', '.NET', 'dotnet test', []],
]
for (const [files, program, language, command, setup] of kinds) {
  test(`${Object.keys(files).join(', ')}: ${language}, ${command}`, async () => {
    const { folder, look } = await project(files, [program])
    await using _ = folder
    const found = look()
    assert.deepEqual([found.name, found.language, found.test, found.setup], ['shop', language, command, setup])
  })
}

test('a test command whose program is missing is named and not used; a Makefile steps in', async () => {
  const { folder, look } = await project({ 'Cargo.toml': '' }, [])
  await using _ = folder
  assert.deepEqual([look().test, look().missing], [null, { test: 'cargo test', program: 'cargo' }])
  await write(folder.at('shop', 'Makefile'), 'build:\n\ttrue\ntest: build\n\ttrue\n')
  await addProgram(folder, 'make')
  assert.deepEqual([look().test, look().missing], ['make test', null])
})

test('a repository without anything known has no language and no tests', async () => {
  const { folder, look } = await project({ 'notes.txt': '' }, ['make'])
  await using _ = folder
  const { language, test: command, readme } = look()
  assert.deepEqual([language, command, readme], [null, null, null])
})
