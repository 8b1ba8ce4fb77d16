// `espalier suite init` finds the test command of a project, and what it writes is a suite that can be run.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { espalierHere } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

const SPLIT = 'test/a.test.js'

const PROJECTS: [string, Record<string, string>, { run: string; setup?: string; split?: RegExp }][] = [
  [
    'node:test',
    { 'package.json': '{"scripts": {"test": "node --test"}}', [SPLIT]: '' },
    { run: 'npm test', split: /node --test .*junit.* \{files\}/ },
  ],
  ['nothing but package.json', { 'package.json': '{}' }, { run: 'node --test' }],
  [
    'vitest',
    { 'package.json': '{"scripts": {"test": "vitest"}, "devDependencies": {"vitest": "3"}}', 'pnpm-lock.yaml': '' },
    { run: 'pnpm test', setup: 'pnpm install --frozen-lockfile', split: /npx vitest run/ },
  ],
  [
    'jest',
    { 'package.json': '{"scripts": {"test": "jest"}}', 'package-lock.json': '{}' },
    { run: 'npm test', setup: 'npm ci', split: /npx jest/ },
  ],
  [
    'pytest',
    { 'pyproject.toml': '[tool.pytest.ini_options]\n', 'uv.lock': '' },
    { run: 'uv run python -m pytest', setup: 'uv sync --frozen', split: /pytest --junitxml/ },
  ],
  [
    'poetry',
    { 'pyproject.toml': '[tool.pytest.ini_options]\n', 'poetry.lock': '' },
    { run: 'poetry run python -m pytest', setup: 'poetry install', split: /pytest --junitxml/ },
  ],
  ['unittest', { 'setup.py': '' }, { run: 'python3 -m unittest discover' }],
  ['Go', { 'go.mod': 'module x\n' }, { run: 'go test ./...', setup: 'go mod download', split: /go test \{dirs\}/ }],
  ['Rust', { 'Cargo.toml': '' }, { run: 'cargo test', setup: 'cargo fetch' }],
  ['no project that is known', { 'a.txt': '' }, { run: 'make test' }],
]

for (const [name, files, expected] of PROJECTS)
  test(`${name}: ${expected.run}`, async () => {
    await using repository = await makeRepository({ files })
    const { status, out } = await espalierHere(repository.top, ['suite', 'init'])
    assert.equal(status, 0)
    assert.match(out, name.startsWith('no project') ? /no test command was found/ : /suite\.yaml: runs `/)
    const text = readFileSync(join(repository.top, 'suite.yaml'), 'utf8')
    const { setup, entries } = parse(text)
    assert.deepEqual([setup, entries], [expected.setup, [{ id: 'test', run: expected.run }]])
    if (expected.split) assert.match(text, expected.split)
    const checked = await espalierHere(repository.top, ['suite', 'check'])
    assert.equal(checked.out, 'Suite OK: 1 entry\n', checked.err)
  })

test('the split that is proposed in comments is one that runs', async () => {
  const [, files] = PROJECTS[0] as (typeof PROJECTS)[0]
  await using repository = await makeRepository({ files })
  await espalierHere(repository.top, ['suite', 'init'])
  const text = readFileSync(join(repository.top, 'suite.yaml'), 'utf8')
  const split = text
    .replace(/^ {2}- id: test\n {4}run: .*\n/m, '')
    .replace(/^ {2}# (- id: tests| {2}(files|run): .*)$/gm, '  $1')
  await repository.write('split.yaml', split)
  const { out, err, status } = await espalierHere(repository.top, ['suite', 'run', 'split.yaml'])
  assert.equal(status, 0, out + err)
  assert.match(out, /✓ tests\s+passed/)
})

test('a file that is there stays as it is', async () => {
  await using repository = await makeRepository({ files: { 'suite.yaml': 'mine' } })
  const { status, err } = await espalierHere(repository.top, ['suite', 'init'])
  assert.equal(status, 2)
  assert.match(err, /suite\.yaml: is there already/)
  assert.equal(readFileSync(join(repository.top, 'suite.yaml'), 'utf8'), 'mine')
})
