import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkLayers, formatViolation } from '../../scripts/layers.ts'

/** What the check says of a source tree that exists only for this question. */
function violations(tree: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'espalier-layers-'))
  try {
    for (const [file, code] of Object.entries(tree)) {
      mkdirSync(dirname(join(root, 'src', file)), { recursive: true })
      writeFileSync(join(root, 'src', file), code)
    }
    return checkLayers(root).map(formatViolation)
  } finally {
    rmSync(root, { recursive: true })
  }
}

test('imports that go down are fine', () => {
  const tree = {
    'task.ts': '',
    'status.ts': "import './task.ts'",
    'git/commit.ts': "import '../task.ts'",
    'engine/run/tick.ts': "import '../../git/commit.ts'\nimport { readFile } from 'node:fs/promises'",
    'engine/open/open-run.ts': "import '../run/tick.ts'",
    'index.ts': "export * from './engine/run/tick.ts'",
    'cli/main.ts': "import '../engine/open/open-run.ts'\nimport '../task.ts'\nimport './commands/run.ts'",
    'cli/commands/run.ts': "import { z } from 'zod'",
  }
  assert.deepEqual(violations(tree), [])
})

test('an import that goes up is reported with file, line and both layers', () => {
  const tree = { 'engine/run/tick.ts': '', 'git/commit.ts': "\n\nimport type { Tick } from '../engine/run/tick.ts'" }
  assert.deepEqual(violations(tree), [
    'src/git/commit.ts:3: git/ may not import engine/run/ (engine/run/ comes after git/ in the order of the layers)',
  ])
})

test('the vocabulary knows no folder, and a dynamic import does not hide it', () => {
  const tree = { 'git/commit.ts': '', 'task.ts': "export const x = () => import('./git/commit.ts')" }
  assert.deepEqual(violations(tree), [
    'src/task.ts:1: the vocabulary may not import git/ (git/ comes after the vocabulary in the order of the layers)',
  ])
})

test('what is behind a seam is seen only inside its layer', () => {
  const tree = {
    'store/sqlite/open.ts': '',
    'store/open.ts': "import './sqlite/open.ts'",
    'engine/run/tick.ts': "import '../../store/open.ts'\nimport '../../store/sqlite/open.ts'",
  }
  assert.deepEqual(violations(tree), [
    'src/engine/run/tick.ts:2: engine/run/ may not import src/store/sqlite/open.ts (only store/ may)',
  ])
})

test('the command line sees the rooms that answer it, and a few files of the others', () => {
  const tree = {
    'git/commit.ts': '',
    'store/open.ts': '',
    'engine/query/read.ts': '',
    'cli/main.ts': "import '../engine/query/read.ts'\nimport '../store/open.ts'\nimport '../git/commit.ts'",
  }
  assert.deepEqual(violations(tree), [
    'src/cli/main.ts:3: cli/ may not import src/git/commit.ts (SEES_ONLY in scripts/layers.ts lists what it may)',
  ])
})

test('the rooms of engine/ have an order too, and none of its files lies outside of them', () => {
  const tree = { 'engine/open/a.ts': '', 'engine/run/b.ts': "import '../open/a.ts'", 'engine/c.ts': '' }
  const [outside, upwards, ...others] = violations(tree)
  assert.match(outside ?? '', /^src\/engine\/c\.ts: engine\/ is not a folder of the design/)
  assert.match(upwards ?? '', /^src\/engine\/run\/b\.ts:1: engine\/run\/ may not import engine\/open\//)
  assert.deepEqual(others, [])
})

test('a folder with too many files is reported', () => {
  const names = Array.from({ length: 28 }, (_, number) => [`git/x${number}.ts`, ''])
  assert.deepEqual(violations(Object.fromEntries(names)), [
    'src/git: 28 files in one folder, and 27 are allowed: make rooms',
  ])
})

test('nothing in src imports from outside', () => {
  const tree = { 'git/commit.ts': "import '../../scripts/layers.ts'" }
  assert.deepEqual(violations(tree), [
    'src/git/commit.ts:1: src/ may not import scripts/layers.ts (it is outside src/)',
  ])
})

test('a file in a folder that is not in the list is reported', () => {
  const [found, ...others] = violations({ 'helpers/text.ts': '' })
  assert.match(found ?? '', /^src\/helpers\/text\.ts: helpers\/ is not a folder of the design/)
  assert.deepEqual(others, [])
})

test('a cycle between files of one folder is reported once, by its path', () => {
  const tree = { 'git/a.ts': "import './b.ts'", 'git/b.ts': "\nimport './c.ts'", 'git/c.ts': "import './a.ts'" }
  assert.deepEqual(violations(tree), [
    'src/git/c.ts:1: import cycle: src/git/a.ts → src/git/b.ts → src/git/c.ts → src/git/a.ts',
  ])
})

test('this project keeps its own order', () => {
  assert.deepEqual(checkLayers(fileURLToPath(new URL('../..', import.meta.url))).map(formatViolation), [])
})
