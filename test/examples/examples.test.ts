// Every example, as its README says: copied, run by the real command line, landed and checked.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { RunEvent } from '../../src/index.ts'
import { KNOWN_FORMATS } from '../../src/workloads/formats/known-formats.ts'
import { blocksOf, ROOT, relativeLinks } from '../docs/pages.ts'
import { espalierHere, type Said, said } from '../rig/espalier.ts'
import { type Folder, temporaryFolder, write } from '../rig/repository.ts'

type Example = {
  folder: string
  format: string
  /** What is left of the plan, and for each task what has to land before it starts. */
  tasks: Record<string, string[]>
  /** How many tasks the plan says are done, before and afterwards; null: the format does not keep that. */
  done: { before: number; after: number | null }
}

const EXAMPLES: Example[] = [
  {
    folder: 'own',
    format: 'espalier',
    tasks: { money: [], order: [], list: ['money', 'order'], print: ['list'] },
    done: { before: 0, after: null },
  },
  {
    folder: 'implementation-plan',
    format: 'implementation-plan',
    tasks: {
      'subtask-1-2': [],
      'subtask-1-3': ['subtask-1-2'],
      'subtask-2-1': ['subtask-1-3'],
      'subtask-2-2': ['subtask-1-3'],
      'subtask-3-1': ['subtask-2-1', 'subtask-2-2'],
    },
    done: { before: 1, after: 6 },
  },
  {
    folder: 'batch-plan',
    format: 'batch-plan',
    tasks: { 'task-1-2': [], 'task-1-3': [], 'task-2-1': ['task-1-2', 'task-1-3'], 'task-2-2': ['task-2-1'] },
    done: { before: 1, after: null },
  },
  {
    folder: 'work-queue',
    format: 'work-queue',
    // TEXT-3 waits for a wave, because TEXT-2 has its file.
    tasks: { 'text-2': [], 'text-3': ['text-2'], 'text-4': [], 'text-5': ['text-2', 'text-4'] },
    done: { before: 1, after: 5 },
  },
  {
    folder: 'epics-and-tasks',
    format: 'epics-and-tasks',
    tasks: { 'task-11': [], 'task-12': [], 'task-20': ['task-11', 'task-12'], 'task-21': ['task-20'] },
    done: { before: 1, after: 5 },
  },
  {
    folder: 'task-master',
    format: 'task-master',
    tasks: { 'task-2-1': [], 'task-2-2': ['task-2-1'], 'task-3': [], 'task-4': ['task-2-2', 'task-3'] },
    done: { before: 1, after: 6 }, // the task with subtasks, too
  },
  {
    folder: 'spec-kit',
    format: 'spec-kit',
    tasks: { t002: [], t003: [], t004: ['t002', 't003'], t005: ['t004'], t006: ['t005'] },
    done: { before: 1, after: 6 },
  },
  {
    folder: 'beads',
    format: 'beads',
    tasks: { 'log-a1f-2': [], 'log-a1f-3': [], 'log-b7c': ['log-a1f-2', 'log-a1f-3'], 'log-c3d': [] },
    done: { before: 1, after: 6 }, // the epic, too
  },
  {
    folder: 'gsd',
    format: 'gsd-plan',
    tasks: {
      'task-01-02-1': [],
      'task-01-02-2': ['task-01-02-1'],
      'task-01-03-1': [],
      'task-01-04-1': ['task-01-02-2', 'task-01-03-1'],
    },
    done: { before: 1, after: 5 },
  },
  {
    folder: 'ccpm',
    format: 'ccpm',
    tasks: { 'task-002': [], 'task-003': [], 'task-004': ['task-003'], 'task-005': ['task-002', 'task-004'] },
    done: { before: 1, after: 5 },
  },
]

for (const example of EXAMPLES) {
  test(`${example.folder}: everything that is left of its plan lands, in order, and then its check passes`, async () => {
    await using home = await temporaryFolder()
    const { project, prepare, run, land, check } = instructionsOf(example)
    const ran = await shell(home, ROOT, [...prepare, `! ${check} 2> /dev/null || exit ${TOO_EARLY}`, `${run} --json`])
    assert.notEqual(ran.status, TOO_EARLY, 'the check passes before anything was done')
    assert.equal(ran.status, 0, ran.err + ran.out)
    assert.equal(ran.err, readAs(example, Object.keys(example.tasks).length, example.done.before))
    assertLanded(example, eventsOf(ran.out))

    const landed = await shell(home, home.at(project), [land])
    assert.equal(landed.status, 0, landed.err)
    if (example.done.after === null) return
    const [, ...words] = run.replace(/ --command .*/, '').split(' ')
    const again = await espalierHere(home.at(project), words, { home: home.path })
    assert.equal(again.status, 0, again.err)
    assert.equal(again.err, `${readAs(example, 0, example.done.after)}Nothing left to do\n`)
  })
}

const TOO_EARLY = 99

test('every format has an example, and every example is named where people look for them', async () => {
  const formats = EXAMPLES.map(({ format }) => format).sort()
  assert.deepEqual(formats, [...KNOWN_FORMATS.map(({ name }) => name), 'espalier'].sort())
  const entries = await readdir(join(ROOT, 'examples'), { withFileTypes: true })
  // A suite and a search are no plans: suite.test.ts and search.test.ts run them. The demo is run by `espalier demo`.
  const isPlan = (name: string) => !['suite', 'search', 'demo'].includes(name)
  const folders = entries.filter((entry) => entry.isDirectory() && isPlan(entry.name)).map(({ name }) => name)
  assert.deepEqual(EXAMPLES.map(({ folder }) => folder).sort(), folders.sort())
  for (const page of ['examples/README.md', 'docs/formats.md']) {
    const linked = relativeLinks(page).map(({ file }) => file)
    for (const folder of folders) assert.ok(linked.includes(`examples/${folder}/README.md`), `${page}: ${folder}`)
  }
})

/** What its README tells people to type. */
function instructionsOf({ folder }: Example) {
  const page = `examples/${folder}/README.md`
  const [first = '', land = ''] = blocksOf(page).map(({ text }) => text.trimEnd())
  const prepare = first.split('\n')
  const run = prepare.pop()
  const [, project] = /~\/(\S+) &&/.exec(first) ?? []
  const check = land.split(' && ').at(-1)
  assert.ok(project && check && run, `${page} does not say how it is run`)
  return { project, prepare, run, land, check }
}

/** Runs the lines as a person would type them, until one fails. */
async function shell(home: Folder, cwd: string, lines: readonly string[]): Promise<Said> {
  const program = home.at('bin', 'espalier')
  const start = `exec '${process.execPath}' --disable-warning=ExperimentalWarning '${ROOT}bin/espalier.js' "$@"`
  await write(program, `#!/bin/sh\n${start}\n`)
  await chmod(program, 0o755)
  const env = {
    PATH: [dirname(program), dirname(process.execPath), process.env.PATH].join(':'),
    HOME: home.path,
    TMPDIR: process.env.TMPDIR,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  }
  return said(spawn('sh', ['-ec', lines.join('\n')], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }))
}

function eventsOf(out: string): RunEvent[] {
  const lines = out.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as RunEvent)
}

/** What is said on stderr about a plan of another format, and nothing else is. */
function readAs({ format }: Example, left: number, done: number): string {
  const title = KNOWN_FORMATS.find(({ name }) => name === format)?.title
  return title === undefined ? '' : `read as ${title}: ${left} tasks to do, ${done} done already\n`
}

function assertLanded({ tasks }: Example, events: readonly RunEvent[]): void {
  const started = new Map<string, number>()
  const landed = new Map<string, number>()
  for (const [i, event] of events.entries()) {
    if (event.type === 'attempt.started') {
      assert.ok(!started.has(event.task), `${event.task} was started twice`)
      started.set(event.task, i)
    } else if (event.type === 'landing.landed') for (const task of event.tasks) landed.set(task, i)
  }
  assert.deepEqual([...started.keys()].sort(), Object.keys(tasks).sort())
  assert.deepEqual([...landed.keys()].sort(), Object.keys(tasks).sort())
  for (const [task, needs] of Object.entries(tasks)) {
    for (const need of needs)
      assert.ok((landed.get(need) ?? 0) < (started.get(task) ?? 0), `${task} began before ${need} had landed`)
  }
}
