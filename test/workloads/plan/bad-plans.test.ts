import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEFAULT_SETTINGS, LIMITS } from '../../../src/config.ts'
import { formatProblem } from '../../../src/problem.ts'
import { readPlan } from '../../../src/workloads/plan/read.ts'

/** Everything that is said about a plan that is refused. */
function problemsOf(text: string, file: string): string[] {
  const result = readPlan(text, file, DEFAULT_SETTINGS)
  assert.ok(!result.ok, 'the plan was taken')
  return result.problems.map(formatProblem)
}

type Case = { name: string; text: string; file?: string; says: string[] }

const task = (fields: string): string => `tasks:\n  - {id: a, run: x, ${fields}}\n`
const RULE = 'use lower-case letters, digits and `-`, at most 63 characters, beginning with a letter or digit'
const SMALLEST = 'a plan has at least a list of `tasks`, each with an `id` and a `prompt` or `run`'
const TOGETHER = 'with `isolation: epic` all tasks of an epic land together'

const files: Case[] = [
  { name: 'an empty file', text: '', says: [`plan.yaml:1:1: the file is empty: ${SMALLEST}`] },
  { name: 'blank lines', text: ' \n\n', file: 'p.json', says: [`p.json:1:1: the file is empty: ${SMALLEST}`] },
  { name: 'only comments', text: '# tasks\n', says: [`plan.yaml:1:1: this is not a plan: ${SMALLEST}`] },
  { name: 'a text', text: 'hello', says: [`plan.yaml:1:1: this is not a plan: ${SMALLEST}`] },
  { name: 'a list', text: '[1]', file: 'p.yaml', says: [`p.yaml:1:1: this is not a plan: ${SMALLEST}`] },
  {
    name: 'a NUL',
    text: 'tasks:\n  - id: a\0\n',
    says: ['plan.yaml:2:10: this holds a NUL character: is it a text file?'],
  },
  {
    name: 'a NUL in JSON',
    text: '{"tasks": "\0"}',
    file: 'p.json',
    says: ['p.json:1:12: this holds a NUL character: is it a text file?'],
  },
  {
    name: 'an escape for NUL',
    text: '{"tasks": [{"id": "a", "prompt": "x\\u0000"}]}',
    file: 'p.json',
    says: ['p.json:1:34: this text holds a NUL character'],
  },
  {
    name: 'an escape for NUL in YAML',
    text: 'tasks:\n  - {id: a, run: "x\\0"}\n',
    says: ['plan.yaml:2:18: this text holds a NUL character'],
  },
  {
    name: 'a tab in YAML',
    text: 'tasks:\n\t- id: a\n',
    says: ['plan.yaml:2:1: YAML is indented with spaces: there is a tab here'],
  },
  {
    name: 'a name twice',
    text: 'tasks:\n  - id: a\n    run: x\n    run: y\n',
    says: ['plan.yaml:4:5: `run` is here a second time; the first is in line 3'],
  },
  {
    name: 'two documents',
    text: 'tasks: []\n---\ntasks: []\n',
    says: ['plan.yaml:2:1: a second document begins here (`---`): one file holds one'],
  },
  { name: 'an unknown alias', text: 'tasks: *x\n', says: ['plan.yaml:1:8: there is no `&x` before this alias'] },
  {
    name: 'an alias of itself',
    text: 'tasks: &a\n  - id: a\n    tags: *a\n',
    says: ['plan.yaml:3:11: this alias stands for something it is part of'],
  },
  {
    name: 'a tag that makes something else of a text',
    text: 'tasks: !!binary aGVsbG8=\nname: !x y\nbase: !!str main\n',
    says: [
      'plan.yaml:1:17: the tag of this value has no meaning here',
      'plan.yaml:2:10: the tag of this value has no meaning here',
    ],
  },
  {
    name: 'broken YAML',
    text: 'tasks:\n  - {id: a\n',
    says: [
      'plan.yaml:3:1: this is not valid YAML: flow map in block collection must be sufficiently indented and end with a }',
    ],
  },
  {
    name: 'a missing comma in JSON',
    text: '{"tasks": [\n  {"id": "a" "run": "x"}\n]}',
    file: 'p.json',
    says: ['p.json:2:14: `,` is expected here'],
  },
  { name: 'JSON without its end', text: '{"tasks": [', file: 'p.json', says: ['p.json:1:12: `]` is missing'] },
  { name: 'words as JSON', text: '\n hello', file: 'p.json', says: ['p.json:2:2: this is not JSON'] },
]

const fields: Case[] = [
  { name: 'no tasks', text: 'name: x\n', says: [`plan.yaml:1:1: there are no \`tasks\`: ${SMALLEST}`] },
  { name: 'an empty list', text: 'tasks: []\n', says: [`plan.yaml:1:8: \`tasks\` is an empty list: ${SMALLEST}`] },
  { name: 'tasks without a value', text: 'tasks:\n', says: ['plan.yaml:1:1: `tasks` must be a list, not empty'] },
  { name: 'tasks as a mapping', text: 'tasks: {}\n', says: ['plan.yaml:1:8: `tasks` must be a list, not a mapping'] },
  {
    name: 'a task that is a text',
    text: 'tasks:\n  - hello\n',
    says: ['plan.yaml:2:5: `tasks[0]` must be a mapping, not the string `hello`'],
  },
  {
    name: 'a path as id',
    text: 'tasks:\n  - {id: ../x, run: x}\n  - {id: b, run: x, needs: [../x]}\n',
    says: [`plan.yaml:2:10: \`id: ../x\` is not a valid name: ${RULE}`],
  },
  {
    name: 'a command as id',
    text: 'tasks:\n  - {id: $(id), run: x}\n',
    says: [`plan.yaml:2:10: \`id: $(id)\` is not a valid name: ${RULE}`],
  },
  {
    name: 'an option as id',
    text: '{"tasks": [{"id": "--upload-pack", "run": "x"}]}',
    file: 'p.json',
    says: [`p.json:1:19: \`id: --upload-pack\` is not a valid name: ${RULE}`],
  },
  {
    name: 'a number as id',
    text: 'tasks: [{id: 12, run: x}]\n',
    says: ['plan.yaml:1:14: `id` must be a string, not the number 12: put it in quotes'],
  },
  { name: 'no id', text: 'tasks:\n  - run: x\n', says: ['plan.yaml:2:5: `id` is missing'] },
  {
    name: 'nothing to do',
    text: 'tasks:\n  - id: a\n',
    says: ['plan.yaml:2:5: task `a` has nothing to do: give it a `prompt` (for an agent) or `run` (a shell command)'],
  },
  {
    name: 'two things to do',
    text: task('prompt: y'),
    says: ['plan.yaml:2:13: task `a` has both `prompt` and `run`: it is either for an agent or a shell command'],
  },
  { name: 'an empty prompt', text: 'tasks: [{id: a, prompt: " "}]', says: ['plan.yaml:1:25: `prompt` is empty'] },
  {
    name: 'a mistyped field',
    text: task('retires: 1'),
    says: ['plan.yaml:2:21: unknown field `retires`; did you mean `retries`?'],
  },
  {
    name: 'a mistyped field of claims',
    text: task('claims: {writes: [a]}'),
    says: ['plan.yaml:2:30: unknown field `writes`; did you mean `write`?'],
  },
  {
    name: 'several paths in one claim',
    text: task('claims: "src, docs"'),
    says: ['plan.yaml:2:29: `claims: src, docs` looks like several paths: write them as a list'],
  },
  {
    name: 'claims that are no path',
    text: task('claims: 3'),
    says: ['plan.yaml:2:29: `claims` must be a path, a list of paths, or a mapping with `write` and `read`'],
  },
  {
    name: 'a mistyped field of the plan',
    text: `maxConcurency: 2\n${task('')}`,
    says: ['plan.yaml:1:1: unknown field `maxConcurency`; did you mean `maxConcurrency`?'],
  },
  {
    name: 'a field nobody knows',
    text: task('"a\\tb": 1'),
    says: [
      'plan.yaml:2:21: unknown field "a\\tb"; known: id, title, prompt, run, needs, after, outside, epic, claims, uses, labels, setup, …',
    ],
  },
  {
    name: 'a wrong duration',
    text: task('timeout: soon'),
    says: ['plan.yaml:2:30: `timeout` must be a duration such as `90s`, `30m` or `2h` (a bare number is seconds)'],
  },
  {
    name: 'a list as duration',
    text: task('timeout: [1]'),
    says: ['plan.yaml:2:30: `timeout` must be a duration such as `90s`, `30m` or `2h` (a bare number is seconds)'],
  },
  { name: 'no time at all', text: task('timeout: 0'), says: ['plan.yaml:2:30: `timeout` must be longer than zero'] },
  { name: 'too much time', text: task('timeout: 99d'), says: ['plan.yaml:2:30: `timeout` is longer than 24 days'] },
  {
    name: 'negative retries',
    text: task('retries: -1'),
    says: ['plan.yaml:2:30: `retries` must be at least 0, not -1'],
  },
  {
    name: 'half a retry',
    text: task('retries: 0.5'),
    says: ['plan.yaml:2:30: `retries` must be a whole number, not the number 0.5'],
  },
  {
    name: 'an unknown priority',
    text: task('priority: urgent'),
    says: ['plan.yaml:2:31: `priority` must be a number or one of low, normal, high, critical'],
  },
  {
    name: 'an unknown isolation',
    text: task('isolation: tasks'),
    says: ['plan.yaml:2:32: `isolation` must be one of task, epic, not `tasks`; did you mean `task`?'],
  },
  {
    name: 'isolation without an epic',
    text: task('isolation: epic'),
    says: ['plan.yaml:2:32: task `a` has `isolation: epic` but no `epic`'],
  },
  {
    name: 'needs that are no list',
    text: task('needs: b'),
    says: ['plan.yaml:2:28: `needs` must be a list, not the string `b`: write `[b]`'],
  },
  {
    name: 'claims outside the repository',
    text: task('claims: [/etc, ../x, "", a/../b, ~/x, "{a,../b}"]'),
    says: [
      'plan.yaml:2:30: `claims[0]: /etc` is outside the worktree: paths are relative to the top of the repository',
      'plan.yaml:2:36: `claims[1]: ../x` may lead out of the repository: write it without `..`',
      'plan.yaml:2:42: `claims[2]` is empty: name a path or a pattern such as `src/**`',
      'plan.yaml:2:46: `claims[3]: a/../b` may lead out of the repository: write it without `..`',
      'plan.yaml:2:54: `claims[4]: ~/x` is outside the worktree: paths are relative to the top of the repository',
      'plan.yaml:2:59: `claims[5]: {a,../b}` may lead out of the repository: write it without `..`',
    ],
  },
  {
    name: 'a name no variable can have',
    text: task('env: {A B: x, C: [1]}'),
    says: [
      'plan.yaml:2:27: `A B` cannot be the name of an environment variable',
      'plan.yaml:2:38: `C` must be a string, a number or true/false',
    ],
  },
  {
    name: 'an agent there is none of',
    text: 'agent: comand\ntasks: [{id: a, prompt: x, agent: nobody}, {id: b, prompt: x, agent: claude}]\n',
    says: [
      'plan.yaml:1:8: there is no agent `comand`; did you mean `command`?',
      'plan.yaml:2:35: there is no agent `nobody`; known: command, claude, codex, opencode, gemini',
    ],
  },
  {
    name: 'a check that is no command, and more of them at once than there may be',
    text: `landing: {verify: [' '], window: 0, reruns: 11}\n${task('')}`,
    says: [
      'plan.yaml:1:20: `verify[0]` is empty',
      'plan.yaml:1:34: `window` must be at least 1, not 0',
      'plan.yaml:1:45: `reruns` must be at most 10, not 11',
    ],
  },
  {
    name: 'a name that is no branch',
    text: `name: Check Out\n${task('')}`,
    says: [
      'plan.yaml:1:7: `name: Check Out` cannot be part of a branch name: ' +
        'use lower-case letters, digits and `-`, at most 40 characters, such as `check-out`',
    ],
  },
  {
    name: 'an option as base',
    text: `base: --upload-pack=x\n${task('')}`,
    says: ['plan.yaml:1:7: `base: --upload-pack=x` is not a commit or branch'],
  },
  { name: 'another version', text: `version: 2\n${task('')}`, says: ['plan.yaml:1:10: `version` must be 1, not 2'] },
]

const graphs: Case[] = [
  {
    name: 'an unknown need',
    text: 'tasks:\n  - {id: schema, run: x}\n  - {id: b, run: x, needs: [shcema], after: [zzz]}\n',
    says: [
      'plan.yaml:3:29: task `b` needs `shcema`, which does not exist; did you mean `schema`?',
      'plan.yaml:3:46: task `b` comes after `zzz`, which does not exist',
    ],
  },
  {
    name: 'an epic as need',
    text: 'epics: [{id: api}]\ntasks: [{id: a, run: x, needs: [api]}]\n',
    says: ['plan.yaml:2:33: `api` is an epic, not a task: an epic can need it, in `epics`'],
  },
  { name: 'a need of itself', text: task('needs: [a]'), says: ['plan.yaml:2:29: task `a` needs itself'] },
  {
    name: 'an id twice',
    text: 'tasks:\n  - {id: a, run: x}\n  - {id: b, run: x}\n  - {id: a, run: y}\n',
    says: ['plan.yaml:4:10: there are two tasks `a`; the first is in line 2'],
  },
  {
    name: 'an unknown epic',
    text: 'epics: [{id: api}]\ntasks: [{id: a, run: x, epic: apo}, {id: b, run: x, epic: apo}]\n',
    says: [
      'plan.yaml:2:31: there is no epic `apo` in `epics`; did you mean `api`?',
      'plan.yaml:2:59: there is no epic `apo` in `epics`; did you mean `api`?',
    ],
  },
  {
    name: 'epics that are wrong',
    text: 'epics:\n  - {id: e, needs: [e]}\n  - {id: f, needs: [g]}\n  - {id: f}\ntasks: [{id: a, run: x, epic: e}]\n',
    says: [
      'plan.yaml:2:21: epic `e` needs itself',
      'plan.yaml:3:21: epic `f` needs `g`, which is not an epic; did you mean `e`?',
      'plan.yaml:4:10: there are two epics `f`; the first is in line 3',
    ],
  },
  {
    name: 'a cycle, and an `after` in it as well',
    text: 'tasks:\n  - {id: a, run: x, needs: [b], after: [c]}\n  - {id: b, run: x, needs: [c]}\n  - {id: c, run: x, needs: [a]}\n',
    says: ['plan.yaml:2:29: tasks wait for each other: a → b → c → a'],
  },
  {
    name: 'two cycles',
    text: 'tasks:\n  - {id: a, run: x, needs: [b]}\n  - {id: b, run: x, needs: [a, c]}\n  - {id: c, run: x, needs: [b, b]}\n',
    says: [
      'plan.yaml:2:29: tasks wait for each other: a → b → a',
      'plan.yaml:3:32: tasks wait for each other: b → c → b',
    ],
  },
  {
    name: 'epics in a cycle',
    text: 'epics:\n  - {id: e, needs: [f]}\n  - {id: f, needs: [e]}\ntasks: [{id: a, run: x, epic: e}, {id: b, run: x, epic: f}]\n',
    says: ['plan.yaml:2:21: epics wait for each other: e → f → e'],
  },
  {
    name: 'a task that waits for an epic that waits for it',
    text: 'epics: [{id: e, needs: [f]}, {id: f}]\ntasks:\n  - {id: a, run: x, epic: e}\n  - {id: b, run: x, epic: f, needs: [a]}\n',
    says: ['plan.yaml:3:10: tasks and epics wait for each other: a → epic f → b → a'],
  },
  {
    name: 'an epic that lands as one and waits for what waits for it',
    text: 'epics: [{id: e, isolation: epic}]\ntasks:\n  - {id: a, run: x, epic: e}\n  - {id: y, run: x, needs: [a]}\n  - {id: b, run: x, epic: e, needs: [y]}\n',
    says: [`plan.yaml:4:10: tasks and epics wait for each other: y → epic e → y; ${TOGETHER}`],
  },
  {
    name: 'two such epics',
    text: 'epics: [{id: e, needs: [f], isolation: epic}, {id: f, isolation: epic}]\ntasks:\n  - {id: a, run: x, epic: e}\n  - {id: b, run: x, epic: f, needs: [a]}\n',
    says: [`plan.yaml:3:10: tasks and epics wait for each other: epic e → epic f → epic e; ${TOGETHER}`],
  },
]

for (const [group, cases] of Object.entries({ 'a bad file': files, 'a bad field': fields, 'a bad graph': graphs })) {
  describe(`${group} is refused with its place`, () => {
    for (const { name, text, file = 'plan.yaml', says } of cases)
      test(name, () => assert.deepEqual(problemsOf(text, file), says))
  })
}

test('the places are the same in JSON that spans lines', () => {
  const text =
    '{\n  "tasks": [\n    {"id": "a", "run": "x"},\n    {"id": "a", "run": "x",\n     "needs": ["b"], "tiitle": ""}\n  ]\n}'
  assert.deepEqual(problemsOf(text, 'p.json'), [
    'p.json:4:12: there are two tasks `a`; the first is in line 3',
    'p.json:5:16: task `a` needs `b`, which does not exist; did you mean `a`?',
    'p.json:5:22: unknown field `tiitle`; did you mean `title`?',
  ])
})

test('all problems come at once, in the order of the file, and the last line counts the rest', () => {
  const tasks = Array.from({ length: 150 }, (_, i) => `  - {id: t${i}, run: x, needs: [nothing-like-it]}`)
  const said = problemsOf(`tasks:\n${tasks.join('\n')}\n`, 'plan.yaml')
  assert.equal(said.length, LIMITS.problems + 1)
  assert.match(said[0] ?? '', /^plan\.yaml:2:/)
  assert.match(said[99] ?? '', /^plan\.yaml:101:/)
  assert.equal(said.at(-1), 'plan.yaml: … and 50 more problems')
})

test('a long cycle is cut', () => {
  const tasks = Array.from({ length: 50_000 }, (_, i) => ({ id: `t${i}`, run: 'x', needs: [`t${(i + 1) % 50_000}`] }))
  assert.deepEqual(problemsOf(JSON.stringify({ tasks }), 'p.json'), [
    'p.json:1:41: tasks wait for each other: t0 → t1 → t2 → t3 → t4 → t5 → t6 → t7 → … 49991 more … → t49999 → t0',
  ])
})

test('epics that come to more needs than a run can hold are refused', () => {
  const tasks = (epic: string): object[] =>
    Array.from({ length: 2_000 }, (_, i) => ({ id: `${epic}${i}`, run: 'x', epic }))
  const plan = { epics: [{ id: 'e', needs: ['f'] }, { id: 'f' }], tasks: [...tasks('e'), ...tasks('f')] }
  assert.deepEqual(problemsOf(JSON.stringify(plan), 'p.json'), [
    'p.json:1:29: the needs of epic `e` come to 2000 × 2000 needs between tasks, too many in all: ' +
      'give the epic before it a last task that needs its others',
  ])
})
