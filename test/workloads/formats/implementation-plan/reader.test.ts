import assert from 'node:assert/strict'
import { test } from 'node:test'
import { graphOf, promptOf, readSample, readText, refusal, remarksOf, statesOf, taskOf } from '../json-read.ts'

const FILE = 'implementation_plan.json'

type Subtask = { id: string; description: string; status?: string }

function subtasks(...ids: string[]): Subtask[] {
  return ids.map((id) => ({ id, description: `Do ${id}` }))
}

test('a realistic file: what is open, in which order, with which claims', () => {
  const read = readSample(FILE)
  assert.equal(read.source.format, 'implementation-plan')
  assert.equal(read.plan.name, 'gift-cards-in-the-checkout')
  assert.equal(read.plan.objective, 'Gift cards in the checkout: Customers can pay with a gift card.')
  assert.equal(read.settings.maxConcurrency, 4)
  assert.deepEqual(graphOf(read), {
    'db-redemptions': [],
    'db-index': ['db-redemptions'],
    'svc-balance': ['db-index'],
    'svc-redeem': ['db-index'],
    'svc-refund': ['db-index'],
    'page-card': ['svc-balance', 'svc-redeem', 'svc-refund'],
  })
  assert.deepEqual(taskOf(read, 'svc-balance').claims, {
    write: ['api/balance.ts', 'api/balance.test.ts'],
    read: ['api/orders.ts'],
  })
  // What looks like a pattern and is a path.
  assert.deepEqual(taskOf(read, 'page-card').claims.write, ['web/app/\\[id\\]/page.tsx'])
  assert.deepEqual(taskOf(read, 'db-redemptions').tags, ['api'])
  assert.deepEqual(
    read.plan.epics.map(({ id, title }) => [id, title]),
    [
      ['phase-1', 'Database schema'],
      ['phase-2', 'Services'],
      ['web', 'Pages'],
    ],
  )
})

test('what is done is not run again; every subtask of the file is known by its own id', () => {
  const read = readSample(FILE)
  assert.equal(statesOf(read)['db-cards'], 'done')
  assert.equal(statesOf(read)['db-redemptions'], 'open')
  assert.equal(read.source.entries.length, 7)
  assert.deepEqual(remarksOf(read, 'assumed'), [
    '19:21 subtasks that are `failed` are run from the start: `db-redemptions`',
    '74:75 at most 4 run at the same time, as recommended',
  ])
})

test('commands are run, everything else is said to the agent', () => {
  const read = readSample(FILE)
  assert.deepEqual(taskOf(read, 'db-redemptions').verify, ['npm run db:check'])
  assert.deepEqual(taskOf(read, 'svc-redeem').verify, ['npm test -- redeem'])
  assert.deepEqual(taskOf(read, 'svc-balance').verify, [])
  assert.deepEqual(taskOf(read, 'page-card').verify, [])
  assert.match(promptOf(read, 'db-redemptions'), /expected: No pending migrations/)
  assert.match(promptOf(read, 'svc-balance'), /By api:\nmethod: GET\nurl: \/cards\/1\/balance\nexpect_status: 200/)
  assert.match(promptOf(read, 'page-card'), /By manual:\ninstructions: Open \/cards\/1/)
})

test('no word of a subtask is lost', () => {
  const read = readSample(FILE)
  assert.equal(
    promptOf(read, 'svc-balance'),
    [
      'Implement BalanceService',
      '## Files to create\n\n- api/balance.ts\n- api/balance.test.ts',
      '## Follow the patterns of\n\n- api/orders.ts',
      '## Expected output\n\nGET /cards/1/balance answers with the balance',
      '## What this is part of\n\nFeature: Gift cards in the checkout\n\nPhase: Services\n\nOne service each, nothing shared.\n\nWhat must be true when all phases are done:\n- A card pays an order in full and in part',
      '## Verification\n\nBy api:\nmethod: GET\nurl: /cards/1/balance\nexpect_status: 200',
    ].join('\n\n'),
  )
  assert.match(promptOf(read, 'db-index'), /## Notes\n\nThe card is looked up on every page/)
  assert.match(promptOf(read, 'page-card'), /Service: all/)
})

test('what has no meaning here is named once, with its place', () => {
  assert.deepEqual(remarksOf(readSample(FILE), 'ignored'), [
    '73:3 `verification_strategy` is not carried out: what has to pass before work lands is said with `landing.verify` in .espalier/config.yaml',
  ])
})

test('how a whole feature is tested is not carried out; when it is accepted is told', () => {
  const phases = [{ phase: 1, subtasks: subtasks('a') }]
  const written = {
    feature: 'f',
    final_acceptance: 'It is fast',
    qa_acceptance: { unit_tests: { required: true } },
    phases,
  }
  const read = readText(written, FILE)
  assert.match(promptOf(read, 'a'), /\n\nWhat must be true when all phases are done:\nIt is fast$/)
  const [ignored, ...others] = remarksOf(read, 'ignored')
  assert.match(ignored ?? '', /`qa_acceptance` is not carried out: .*`landing\.verify`/)
  assert.deepEqual(others, [])
})

test('a phase is a chain unless it is parallel-safe', () => {
  const phases = [
    { phase: 1, parallel_safe: false, subtasks: subtasks('a', 'b', 'c') },
    { phase: 2, parallel_safe: true, depends_on: [], subtasks: subtasks('d', 'e') },
    { phase: 3, depends_on: [], subtasks: subtasks('f', 'g') },
  ]
  assert.deepEqual(graphOf(readText({ phases }, FILE)), { a: [], b: ['a'], c: ['b'], d: [], e: [], f: [], g: ['f'] })
})

test('a subtask waits for what it names itself: subtasks of any phase, and phases', () => {
  const phases = [
    { phase: 1, parallel_safe: true, subtasks: [{ id: 'a', description: 'x', depends_on: ['b'] }, ...subtasks('b')] },
    {
      phase: 2,
      parallel_safe: true,
      depends_on: [],
      subtasks: [
        { id: 'c', description: 'x', dependencies: ['a', 'c2', 'done'] },
        { id: 'c2', description: 'x', blocked_by: 'phase-1' },
        { id: 'done', description: 'x', status: 'completed', depends_on: ['gone'] },
        { id: 'own', description: 'x', needs: ['2'] },
      ],
    },
  ]
  const read = readText({ phases }, FILE)
  assert.deepEqual(graphOf(read), { a: ['b'], b: [], c: ['a', 'c2'], c2: ['a'], own: [] })
})

test('a chain follows what its subtasks name, and else the file', () => {
  const chain = (...list: object[]) => readText({ phases: [{ phase: 1, subtasks: list }] }, FILE)
  const [a, b, c] = subtasks('a', 'b', 'c')
  const kept = chain(a ?? {}, { ...b, depends_on: ['a'] }, c ?? {})
  assert.deepEqual(graphOf(kept), { a: [], b: ['a'], c: ['b'] })
  assert.deepEqual(remarksOf(kept, 'assumed'), [
    '3:5 the subtasks of a phase without `"parallel_safe": true` follow each other',
  ])
  const turned = chain({ ...a, depends_on: ['c'] }, b ?? {}, c ?? {})
  assert.deepEqual(graphOf(turned), { a: ['c'], b: [], c: ['b'] })
  const circle = {
    phases: [
      {
        phase: 1,
        subtasks: [
          { ...a, depends_on: ['b'] },
          { ...b, depends_on: ['a'] },
        ],
      },
    ],
  }
  assert.match(refusal(circle, FILE).join(), /a → b → a/)
})

test('that a phase is a chain is said once, where it is not said and makes a difference', () => {
  const said = (...phases: object[]) =>
    remarksOf(readText({ phases }, FILE), 'assumed').filter((one) => one.includes('parallel_safe'))
  const two = subtasks('a', 'b')
  const more = subtasks('c', 'd')
  assert.equal(said({ phase: 1, subtasks: two }, { phase: 2, depends_on: [1], subtasks: more }).length, 1)
  assert.deepEqual(said({ phase: 1, parallel_safe: false, subtasks: two }), [])
  assert.deepEqual(said({ phase: 1, subtasks: subtasks('a') }), [])
  assert.deepEqual(
    said({ phase: 1, subtasks: [...subtasks('a'), { id: 'b', description: 'x', status: 'completed' }] }),
    [],
  )
})

test('what is not to be done is left out, and nothing waits for it', () => {
  const phases = [
    { phase: 1, subtasks: [{ id: 'a', description: 'x', status: 'cancelled' }, ...subtasks('b')] },
    { phase: 2, depends_on: [1], subtasks: [{ id: 'c', description: 'x', depends_on: ['a'] }] },
    { phase: 3, depends_on: [], subtasks: [{ id: 'd', description: 'x', status: 'skipped' }] },
    { phase: 4, depends_on: [3], subtasks: subtasks('e') },
  ]
  const read = readText({ phases }, FILE)
  assert.deepEqual(graphOf(read), { b: [], c: ['b'], e: [] })
  assert.deepEqual(statesOf(read), { a: 'skipped', b: 'open', c: 'open', d: 'skipped', e: 'open' })
  assert.deepEqual(
    remarksOf(read, 'assumed').map((remark) => remark.replace(/^\d+:\d+ /, '')),
    [
      'subtasks that are `cancelled` are left out: `a`',
      'nothing waits for subtasks that are left out: `a`',
      'subtasks that are `skipped` are left out: `d`',
    ],
  )
})

test('a phase with one pending subtask is a chain of one', () => {
  const done = { id: 'a', description: 'Do a', status: 'completed' }
  const phases = [
    { phase: 1, parallel_safe: true, subtasks: [done, ...subtasks('b')] },
    { phase: 2, depends_on: ['1'], parallel_safe: true, subtasks: subtasks('c') },
  ]
  assert.deepEqual(graphOf(readText({ phases }, FILE)), { b: [], c: ['b'] })
})

test('phases are named by number or id, as text or number', () => {
  const names: [unknown, object][] = [
    [1, { phase: 1 }],
    ['1', { phase: 1 }],
    ['phase-1', { phase: 1 }],
    ['setup', { phase: 1, id: 'setup' }],
    ['1', { phase: 1, id: 'setup' }],
    [7, { id: '7' }],
  ]
  for (const [name, phase] of names) {
    const phases = [
      { ...phase, subtasks: subtasks('a') },
      { phase: 2, depends_on: [name], subtasks: subtasks('b') },
    ]
    assert.deepEqual(graphOf(readText({ phases }, FILE)), { a: [], b: ['a'] }, String(name))
  }
})

test('what a phase waits for may have another name', () => {
  for (const name of ['dependencies', 'blocked_by', 'dependsOn']) {
    const phases = [
      { phase: 1, subtasks: subtasks('a') },
      { phase: 2, [name]: [1], subtasks: subtasks('b') },
    ]
    const read = readText({ phases }, FILE)
    assert.deepEqual([graphOf(read), remarksOf(read, 'assumed')], [{ a: [], b: ['a'] }, []])
  }
})

test('a phase that is complete holds nothing up, whatever it depends on itself', () => {
  const phases = [
    { phase: 1, subtasks: subtasks('a') },
    { phase: 2, depends_on: [1], subtasks: [{ id: 'b', description: 'Do b', status: 'completed' }] },
    { phase: 3, depends_on: [2], subtasks: subtasks('c') },
  ]
  assert.deepEqual(graphOf(readText({ phases }, FILE)), { a: [], c: [] })
})

test('order goes through a phase that never had any subtasks', () => {
  const phases = [
    { phase: 1, subtasks: subtasks('a') },
    { phase: 2, depends_on: [1], subtasks: [] },
    { phase: 3, depends_on: [2] },
    { phase: 4, depends_on: [3], subtasks: subtasks('d') },
  ]
  assert.deepEqual(graphOf(readText({ phases }, FILE)), { a: [], d: ['a'] })
})

test('a phase without depends_on waits for no other, and that is said', () => {
  const phases = [1, 2].map((phase) => ({ phase, subtasks: subtasks(`t${phase}`) }))
  const read = readText({ phases }, FILE)
  assert.deepEqual(graphOf(read), { t1: [], t2: [] })
  assert.deepEqual(remarksOf(read, 'assumed'), ['12:5 phases without `depends_on` wait for no other phase: `2`'])
})

test('a file in which everything is done is a plan without tasks', () => {
  const phases = [{ phase: 1, subtasks: [{ id: 'a', description: 'Do a', status: 'completed' }] }]
  const read = readText({ phases }, FILE)
  assert.deepEqual(read.plan.tasks, [])
  assert.deepEqual(statesOf(read), { a: 'done' })
})

test('a path outside of the repository stays with its task; the others are as they were', () => {
  const outside = { id: 'a', description: 'Do a', files_to_modify: ['/etc/hosts', '../x', 'src/../lib/a.ts'] }
  const read = readText({ phases: [{ phase: 1, parallel_safe: true, subtasks: [outside, ...subtasks('b')] }] }, FILE)
  const [a, b] = read.plan.tasks
  assert.deepEqual(a?.outside, ['/etc/hosts', '../x'])
  assert.deepEqual(a?.claims.write, ['lib/a.ts'])
  assert.equal(b?.outside, undefined)
  assert.match(remarksOf(read, 'warnings').join(), /subtask `a` will fail: \/etc\/hosts is outside of the repository$/)
})

test('what cannot be understood is refused with its place', () => {
  const text = `{
  "phases": [
    {"phase": 1, "subtasks": [{"description": "no id"}, {"id": "a"}, {"id": ["x"], "description": "d"}, 5]},
    {"phase": 2, "depends_on": [9], "parallel_safe": "yes", "subtasks": [{"id": "a", "description": "again"}]},
    {"phase": 2, "subtasks": [{"id": "b", "description": "d", "files_to_modify": {"a": 1}}]},
    7
  ]
}`
  assert.deepEqual(refusal(text, FILE), [
    `${FILE}:3:31: this subtask has no \`id\``,
    `${FILE}:3:57: this subtask has no \`title\` or \`description\`: what is to be done?`,
    `${FILE}:3:77: \`id\` must be a string or a number, not a list`,
    `${FILE}:3:105: \`subtasks[3]\` must be a mapping, not the number 5`,
    `${FILE}:4:33: there is no phase \`9\` to depend on`,
    `${FILE}:4:54: \`parallel_safe\` must be true or false, not the string \`yes\``,
    `${FILE}:4:81: there are two subtasks \`a\`; the first is in line 3`,
    `${FILE}:5:5: there are two phases \`2\`; the first is in line 4`,
    `${FILE}:5:82: \`files_to_modify\` must hold texts or numbers, not a mapping`,
    `${FILE}:6:5: \`phases[3]\` must be a mapping, not the number 7`,
  ])
})

test('phases in a circle are shown as the circle, where it is written', () => {
  const text = `{"phases": [
    {"phase": 1, "depends_on": [2], "subtasks": [{"id": "a", "description": "a"}]},
    {"phase": 2, "depends_on": [1], "subtasks": [{"id": "b", "description": "b"}]}
  ]}`
  assert.deepEqual(refusal(text, FILE), [`${FILE}:2:33: phases wait for each other: 1 → 2 → 1`])
})

test('numbers and truths may be written as texts', () => {
  const phases = [
    { phase: '1', parallel_safe: 'true', subtasks: subtasks('a', 'b') },
    { phase: '2', depends_on: [1], parallel_safe: 'false', subtasks: subtasks('c', 'd') },
  ]
  const summary = { parallelism: { recommended_workers: '2' } }
  const read = readText({ phases, summary }, FILE)
  assert.deepEqual(graphOf(read), { a: [], b: [], c: ['a', 'b'], d: ['c'] })
  assert.equal(read.settings.maxConcurrency, 2)
  const wrong = { phases: [{ phase: 1, parallel_safe: 'maybe', subtasks: subtasks('a') }] }
  assert.match(refusal(wrong, FILE).join(), /: `parallel_safe` must be true or false, not the string `maybe`$/)
})

test('other names of the same: title, chunks, command', () => {
  const chunk = { id: 'a', description: 'x', verification: { type: 'command', command: 'npm test' } }
  const read = readText({ title: 'Pay later', phases: [{ id: 'one', chunks: [chunk] }] }, FILE)
  assert.equal(read.plan.name, 'pay-later')
  assert.deepEqual(taskOf(read, 'a').verify, ['npm test'])
})

test('of a verification only commands are run, and all of it is told', () => {
  const kinds: [verification: object | string, verify: string[], told: RegExp][] = [
    [{ type: 'command', command: 'npm test (should pass)' }, [], /npm test \(should pass\)/],
    [{ type: 'command', command: '(cd api && npm test)' }, [], /\(cd api && npm test\)$/],
    [{ type: 'command', run: 'npm test', expected: 'all pass' }, ['npm test'], /expected: all pass/],
    [
      { type: 'api', method: 'GET', url: '/x', expect_status: 200 },
      [],
      /By api:\nmethod: GET\nurl: \/x\nexpect_status: 200/,
    ],
    [
      { type: 'browser', scenario: 'open it', checks: ['a', 'b'] },
      [],
      /By browser:\nscenario: open it\nchecks:\n {2}- a\n/,
    ],
    [{ type: 'e2e', run: 'npx playwright test', steps: ['log in'] }, ['npx playwright test'], /log in/],
    [{ type: 'manual', run: 'npm start', instructions: 'look' }, [], /npm start[\s\S]*instructions: look/],
    [{ type: 'none' }, [], /^Do a/],
    [{ type: 'command', run: '', command: 'npm test' }, ['npm test'], /^Do a/],
    [{ type: 'command', run: [], command: ['npm test', 'tsc'] }, ['npm test', 'tsc'], /^Do a/],
    [{ type: 'command', command: ['npm', 'test'] }, ['npm test'], /^Do a/],
    [{ type: 'command', command: ['grep', '-q', 'it is', 'a.md'] }, ['grep -q "it is" a.md'], /^Do a/],
    [{ type: 'command', command: ['npm', 'run', 'lint', '&&', 'tsc'] }, ['npm run lint && tsc'], /^Do a/],
    [{ type: 'command', command: ['tsc', 'pytest'] }, [], /tsc pytest$/],
    [{ type: 'command', commands: ['npm test', 'npm run lint'] }, ['npm test', 'npm run lint'], /^Do a/],
    [{ type: 'command', commands: ['make test', 'make ship'] }, ['make test'], /make ship/],
    [{ cmd: 'npm test' }, ['npm test'], /^Do a/],
    [{ type: 'command', run: 'npm test', command: 'npm run lint' }, ['npm test', 'npm run lint'], /^Do a/],
    [{ type: 'command', run: 'npm test', command: 'npm test' }, ['npm test'], /^Do a/],
    ['npm test', ['npm test'], /^Do a(?![\s\S]*## Verification)/],
    [['npm test', 'The page looks right'], ['npm test'], /## Verification\n\n- npm test\n- The page looks right$/],
    ['npm test\nnpm run lint', ['npm test', 'npm run lint'], /^Do a/],
    ['npm publish', [], /## Verification\n\nnpm publish$/],
  ]
  for (const [verification, verify, told] of kinds) {
    const subtask = { id: 'a', description: 'Do a', verification }
    const read = readText({ phases: [{ phase: 1, subtasks: [subtask] }] }, FILE)
    assert.deepEqual(taskOf(read, 'a').verify, verify)
    assert.match(promptOf(read, 'a'), told)
  }
})

test('what stands there as a command and cannot be a check is told, and that is said', () => {
  const kinds: { command: string; type?: string; expected?: string; expected_exit_code?: number }[] = [
    { command: 'Check that two.txt exists' },
    { command: 'manual review' },
    { command: "grep -r 'foo' src/", expected: 'no matches' },
    { command: 'grep -c foo src/a.ts', expected: '0' },
    { command: "grep -E '(a|b)' a.ts | wc -l", expected: 'At least 3 matches' },
    { command: 'npm test', expected: 'FAIL (test written first)' },
    { command: 'npm test', expected: 'exit code 1' },
    { command: 'npm test', expected_exit_code: 1 },
    { command: 'npm run dev', type: 'browser' },
    { command: 'git push' },
  ]
  for (const kind of kinds) {
    const subtask = { id: 'a', description: 'Do a', verification: { type: 'command', ...kind } }
    const read = readText({ phases: [{ phase: 1, subtasks: [subtask] }] }, FILE)
    assert.deepEqual(taskOf(read, 'a').verify, [], kind.command)
    assert.ok(promptOf(read, 'a').includes(kind.command), kind.command)
    const [said = '', ...more] = remarksOf(read, 'assumed')
    assert.ok(said.includes(` \`${kind.command}\` is told to the agent, not run as a check: it `), said)
    assert.deepEqual(more, [])
  }
})

test('what is expected of a command does not keep it from being run', () => {
  const kinds: [command: string, expected: unknown][] = [
    ['npx tsc --noEmit', 'No TypeScript errors'],
    ['npm test', 'exit code 0'],
    ['npm test', { exit_code: 0 }],
    ['npm run lint', '0 errors'],
    ['test -f src/types.ts', 'the file is there'],
    ['./scripts/verify', 'OK'],
  ]
  for (const [command, expected] of kinds) {
    const verification = { type: 'command', command, expected }
    const read = readText({ phases: [{ phase: 1, subtasks: [{ id: 'a', description: 'Do a', verification }] }] }, FILE)
    assert.deepEqual(taskOf(read, 'a').verify, [command])
  }
  const none = { id: 'a', description: 'Do a', verification: { type: 'command', command: 'N/A' } }
  const read = readText({ phases: [{ phase: 1, subtasks: [none] }] }, FILE)
  assert.deepEqual([taskOf(read, 'a').verify, remarksOf(read, 'assumed')], [[], []])
})

test('words in fields that have no meaning here are told, and that is said in one line; others are ignored', () => {
  const subtask = {
    ...{ id: 'a', title: 'The form', description: 'Do a', status: 'failed' },
    ...{ acceptance_criteria: ['It is fast', 'It is safe'], details: 'With care', weight: 5, updated_by: 'ada' },
    ...{ actual_output: 'FAILED: no', critique_result: null },
  }
  const done = { id: 'b', description: 'Do b', status: 'completed', actual_output: 'done', context: 'never mind' }
  const root = { spec_file: 'spec.md', workflow_rationale: 'It is small', recoveryNote: 'x' }
  const read = readText({ feature: 'F', ...root, phases: [{ phase: 1, subtasks: [subtask, done] }] }, FILE)
  assert.equal(taskOf(read, 'a').title, 'The form')
  assert.equal(
    promptOf(read, 'a'),
    [
      'The form\n\nDo a',
      '## Acceptance criteria\n\n- It is fast\n- It is safe',
      '## Details\n\nWith care',
      '## What this is part of\n\nFeature: F\n\nPhase: 1',
      'Its specification: spec.md\n\nWhy it is done this way: It is small',
    ].join('\n\n'),
  )
  const unplaced = (remark: string): string => remark.replace(/^\d+:\d+ /, '')
  assert.deepEqual(remarksOf(read, 'assumed').map(unplaced).slice(1), [
    'told to the agent, and otherwise without a meaning here: `acceptance_criteria`, `details`',
  ])
  assert.deepEqual(remarksOf(read, 'ignored').map(unplaced), ['fields of a subtask: `weight`, `updated_by`'])
})

test('what is no path is not claimed, and that is said in one line', () => {
  const files = {
    files_to_modify: ['src/e.ts - add route', 'N/A'],
    patterns_from: 'Existing auth pattern in the codebase',
  }
  const read = readText({ phases: [{ phase: 1, subtasks: [{ id: 'a', description: 'Do a', ...files }] }] }, FILE)
  assert.deepEqual(taskOf(read, 'a').claims, { write: ['src/e.ts'], read: [] })
  assert.match(
    remarksOf(read, 'assumed').join(),
    / told to the agent, but claimed by nobody, because it is no path: `Existing auth pattern in the codebase`$/,
  )
})

test('the body of a request is told as it is written', () => {
  const verification = { type: 'api', method: 'POST', body: { a: 1 } }
  const read = readText({ phases: [{ phase: 1, subtasks: [{ id: 'a', description: 'Do a', verification }] }] }, FILE)
  assert.match(promptOf(read, 'a'), /By api:\nmethod: POST\nbody: \{"a":1\}$/)
})

test('of a phase that is not to be done no subtask is; one that is done says nothing of its subtasks', () => {
  const [b1, b2] = [
    { id: 'b1', description: 'x', status: 'failed' },
    { id: 'b2', description: 'x', status: 'completed' },
  ]
  const phases = [
    { phase: 1, status: 'in_progress', subtasks: subtasks('a') },
    { phase: 2, status: 'cancelled', subtasks: [b1, b2] },
    { phase: 3, status: 'completed', depends_on: [], subtasks: subtasks('c') },
  ]
  const read = readText({ phases }, FILE)
  assert.deepEqual(statesOf(read), { a: 'open', b1: 'skipped', b2: 'done', c: 'open' })
  assert.deepEqual(
    remarksOf(read, 'assumed').map((one) => one.replace(/^\S+ /, '')),
    ['phases that are `cancelled` are left out: `2`'],
  )
  assert.deepEqual(remarksOf(read, 'ignored'), [])
})
