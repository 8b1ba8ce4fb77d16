// Plans where the tools that make them put them: real folders, found without naming the file.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { onlyPlanIn, plansIn } from '../../../src/cli/inputs/find-plans.ts'
import { formatProblem } from '../../../src/problem.ts'
import { temporaryFolder, write } from '../../rig/repository.ts'

const TASK_MASTER = '{"master": {"tasks": [{"id": 1, "title": "a", "status": "pending"}]}}'
const IMPLEMENTATION = '{"phases": [{"phase": 1, "subtasks": [{"id": "a", "description": "x"}]}]}'
const SPEC_KIT = '- [ ] T001 a\n'
const BEADS = '{"id": "t-1", "title": "a", "status": "open"}\n{"id": "t-2", "title": "b", "status": "open"}\n'
const GSD = '---\nphase: 01-x\nplan: 01\n---\n<task><name>a</name><action>b</action></task>\n'
const CCPM = '---\nname: a\nparallel: true\n---\nDo it.\n'
const BATCH = '## Batch 1: a\n### Task 1.1: b\n'
const OWN = 'tasks:\n  - {id: a, run: x}\n'

type Files = Record<string, string>

/** What is found in a folder of these files, or in one of its folders. */
async function found(files: Files, { folder = '.', format }: { folder?: string; format?: string } = {}) {
  await using place = await filled(files)
  const plans = await plansIn(folder, place.path, format)
  return plans.map(({ name }) => name)
}

async function filled(files: Files) {
  const place = await temporaryFolder()
  for (const [file, text] of Object.entries(files)) await write(join(place.path, file), text)
  return place
}

describe('the plan of a project is found in the place its tool has for it', () => {
  const places: [file: string, text: string, plan?: string][] = [
    ['espalier.yaml', OWN],
    ['.taskmaster/tasks/tasks.json', TASK_MASTER],
    ['tasks/tasks.json', TASK_MASTER],
    ['implementation_plan.json', IMPLEMENTATION],
    ['specs/001-a/implementation_plan.json', IMPLEMENTATION],
    ['.auto-claude/specs/001-a/implementation_plan.json', IMPLEMENTATION],
    ['specs/001-a/tasks.md', SPEC_KIT],
    ['.specify/specs/001-a/tasks.md', SPEC_KIT],
    ['.beads/issues.jsonl', BEADS],
    ['.planning/phases/01-x/01-01-PLAN.md', GSD, '.planning/phases/01-x'],
    ['.claude/epics/share/001.md', CCPM, '.claude/epics/share'],
    ['docs/plans/next.md', BATCH],
    ['queue.json', '{"features": [{"id": "a", "description": "x"}]}'],
  ]
  for (const [file, text, plan = file] of places)
    test(file, async () => {
      const noise = { 'README.md': '# Read me\n', 'package.json': '{"name": "x"}', 'docs/plans/old.md': 'words\n' }
      assert.deepEqual(await found({ ...noise, [file]: text }), [plan])
    })
})

test('also from a folder on the way to it, and by its format', async () => {
  const files = { 'specs/001-a/tasks.md': SPEC_KIT, '.claude/epics/share/001.md': CCPM, '.planning/phases/1/p.md': GSD }
  assert.deepEqual(await found(files, { folder: 'specs' }), ['specs/001-a/tasks.md'])
  assert.deepEqual(await found(files, { folder: '.claude' }), ['.claude/epics/share'])
  assert.deepEqual(await found(files, { folder: '.claude/epics/share' }), ['.claude/epics/share'])
  assert.deepEqual(await found(files, { folder: '.planning' }), ['.planning/phases/1'])
  assert.deepEqual(await found(files, { format: 'spec-kit' }), ['specs/001-a/tasks.md'])
  assert.deepEqual(await found({ 'other/deep/tasks.md': SPEC_KIT }), [])
})

test('of several, none is chosen: they are listed; those that are done are not meant', async () => {
  const files: Files = { '.taskmaster/tasks/tasks.json': TASK_MASTER, 'specs/001-a/tasks.md': SPEC_KIT }
  await using two = await filled(files)
  const refused = await onlyPlanIn('.', two.path, undefined)
  assert.ok(!refused.ok)
  assert.deepEqual(refused.problems.map(formatProblem), [
    '.: there are 2 plans in this folder: name one\n' +
      '  .taskmaster/tasks/tasks.json  Task Master tasks.json\n' +
      "  specs/001-a/tasks.md          spec-kit's tasks.md",
  ])
  await using one = await filled({ ...files, 'specs/001-a/tasks.md': '- [x] T001 a\n' })
  const chosen = await onlyPlanIn('.', one.path, undefined)
  assert.ok(chosen.ok && chosen.value.path === join(one.path, '.taskmaster/tasks/tasks.json'))
})

test('none is told with where it was looked for; a broken one says what is wrong with it', async () => {
  await using none = await filled({ 'README.md': 'x\n' })
  const refused = await onlyPlanIn('.', none.path, undefined)
  assert.match(refused.ok ? '' : refused.problems.map(formatProblem).join(), /^\.: there is no plan .*: \.taskmaster\//)
  await using broken = await filled({ '.taskmaster/tasks/tasks.json': '{"master": ,}' })
  const read = await onlyPlanIn('.', broken.path, undefined)
  assert.ok(read.ok)
  assert.deepEqual(
    read.value.files.map(({ file }) => file),
    ['.taskmaster/tasks/tasks.json'],
  )
})
