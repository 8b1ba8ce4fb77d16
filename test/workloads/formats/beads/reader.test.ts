import assert from 'node:assert/strict'
import { test } from 'node:test'
import { graphOf, promptOf, readSample, readText, refusal, remarksOf, statesOf, taskOf } from '../json-read.ts'

const FILE = 'issues.jsonl'

type Written = { id: string; status?: string; issue_type?: string }

/** `waits`: what blocks it; `part`: the epic it is part of. */
function issue({ waits = [], part, ...fields }: Written & { waits?: string[]; part?: string }): string {
  const dependencies = waits.map((id) => ({ issue_id: fields.id, depends_on_id: id, type: 'blocks' }))
  if (part) dependencies.push({ issue_id: fields.id, depends_on_id: part, type: 'parent-child' })
  return JSON.stringify({ title: `Do ${fields.id}`, status: 'open', issue_type: 'task', ...fields, dependencies })
}

test('a realistic file: who waits for whom', () => {
  const read = readSample(FILE)
  assert.equal(read.source.format, 'beads')
  assert.deepEqual(graphOf(read), {
    'tea-c3': [],
    'tea-c3-1': ['tea-c3'],
    'tea-d4': [],
    // It waits for the epic, which is done when its issues are.
    'tea-e5': ['tea-c3-1'],
  })
  assert.deepEqual(
    read.plan.epics.map(({ id, title }) => [id, title]),
    [['tea-a1', 'Orders']],
  )
  assert.equal(statesOf(read)['tea-b2'], 'done')
})

test('priority, estimate, labels and words', () => {
  const read = readSample(FILE)
  const task = taskOf(read, 'tea-c3')
  assert.equal(task.priority, 20)
  assert.equal(taskOf(read, 'tea-e5').priority, -20)
  assert.equal(task.estimateMs, 45 * 60_000)
  assert.deepEqual(task.tags, ['api'])
  assert.equal(task.epic, 'tea-a1')
  assert.equal(
    promptOf(read, 'tea-c3'),
    'Create an order\n\nPOST /orders\n\n## Design\n\nOne transaction.\n\n## Acceptance criteria\n\nStock goes down\n\n' +
      '## What this is part of\n\nOrders\n\nEverything about orders',
  )
})

test('what was assumed and ignored has its line', () => {
  const read = readSample(FILE)
  assert.deepEqual(remarksOf(read, 'assumed'), [
    '1:1 epics are done when their issues are, and not run themselves: `tea-a1`',
    '4:58 issues that are `in_progress` are run from the start: `tea-c3.1`',
    '7:132 told to the agent, and otherwise without a meaning here: `milestone`',
  ])
  assert.deepEqual(remarksOf(read, 'ignored'), [])
})

test('what an epic waits for its issues wait for, also below epics in it', () => {
  const text = [
    issue({ id: 'first' }),
    issue({ id: 'outer', issue_type: 'epic', waits: ['first'] }),
    issue({ id: 'inner', issue_type: 'epic', part: 'outer' }),
    issue({ id: 'deep', part: 'inner' }),
    issue({ id: 'flat', part: 'outer', waits: ['outer'] }),
    issue({ id: 'last', waits: ['outer'] }),
  ].join('\n')
  const read = readText(text, FILE)
  assert.deepEqual(graphOf(read), { first: [], deep: ['first'], flat: ['first'], last: ['deep', 'flat'] })
  assert.equal(taskOf(read, 'deep').epic, 'inner')
})

test('only what an issue waits for has to be in the file', () => {
  const dependencies = [
    { depends_on_id: 'gone', type: 'related' },
    { depends_on_id: 'gone', type: 'parent-child' },
    { depends_on_id: 'gone', type: 'duplicates' },
  ]
  const read = readText(JSON.stringify({ id: 'a', title: 'A', status: 'open', dependencies }), FILE)
  assert.deepEqual(graphOf(read), { a: [] })
})

test('an epic without issues is an issue like any other', () => {
  assert.deepEqual(graphOf(readText(`${issue({ id: 'a', issue_type: 'epic' })}\n`, FILE)), { a: [] })
})

test('what is deferred is left out, with what waits for it or is part of it', () => {
  const text = [
    issue({ id: 'a', status: 'deferred', issue_type: 'epic' }),
    issue({ id: 'b', part: 'a' }),
    issue({ id: 'c', waits: ['b'] }),
    issue({ id: 'd' }),
  ].join('\n')
  const read = readText(text, FILE)
  assert.deepEqual(statesOf(read), { a: 'skipped', b: 'skipped', c: 'skipped', d: 'open' })
  assert.deepEqual(
    remarksOf(read, 'warnings').map((remark) => remark.replace(/^\d+:\d+ /, '')),
    [
      'issue `b` is left out: it is part of `a`, which is `deferred`',
      'issue `c` is left out: it depends on `b`, which is left out',
    ],
  )
})

test('epics inside each other without end have a limit', () => {
  const epics = Array.from({ length: 4_000 }, (_, i) => issue({ id: `e${i}`, issue_type: 'epic', part: `e${i - 1}` }))
  const text = `${epics.join('\n')}\n${issue({ id: 'leaf', part: 'e3999' })}`
  assert.match(refusal(text, FILE).join(), /more than 2000000 needs and claims/)
})

test('a line that is not JSON, an issue nobody knows, a circle', () => {
  const text = `${issue({ id: 'a' })}\n{"id": "b",,}\n\n{"id"\n`
  assert.deepEqual(refusal(text, FILE), [
    `${FILE}:2:12: a name in double quotes is expected here`,
    `${FILE}:4:6: \`:\` is expected here`,
  ])
  const lost = `${issue({ id: 'a' })}\n${issue({ id: 'b', waits: ['gone'] })}`
  assert.match(refusal(lost, FILE).join(), /^issues\.jsonl:2:\d+: there is no issue `gone` to depend on$/)
  const circle = `${issue({ id: 'a', waits: ['b'] })}\n${issue({ id: 'b', waits: ['a'] })}`
  assert.match(refusal(circle, FILE).join(), /^issues\.jsonl:1:\d+: issues wait for each other: a → b → a$/)
})

test('numbers may be written as texts', () => {
  const read = readText(
    JSON.stringify({ id: 'a-1', title: 'A', status: 'open', priority: '0', estimated_minutes: '30' }),
    FILE,
  )
  assert.deepEqual([taskOf(read, 'a-1').priority, taskOf(read, 'a-1').estimateMs], [20, 30 * 60_000])
})

test('what does not block can go round in a circle', () => {
  const related = (id: string, other: string, type: string, issue_type = 'task'): string =>
    JSON.stringify({ id, title: id, status: 'open', issue_type, dependencies: [{ depends_on_id: other, type }] })
  const text = [
    related('a', 'b', 'related'),
    related('b', 'a', 'discovered-from'),
    related('e', 'f', 'parent-child', 'epic'),
    related('f', 'e', 'parent-child', 'epic'),
  ]
  const read = readText(text.join('\n'), FILE)
  assert.deepEqual(graphOf(read), { a: [], b: [], e: [], f: [] })
})

test('an epic that waits for its own issues says only that they are its', () => {
  const text = [
    issue({ id: 'e', issue_type: 'epic', waits: ['a', 'b', 'c'] }),
    issue({ id: 'a', part: 'e' }),
    issue({ id: 'b', part: 'e', waits: ['a'] }),
    issue({ id: 'c' }),
  ].join('\n')
  assert.deepEqual(graphOf(readText(text, FILE)), { a: ['c'], b: ['a'], c: [] })
})

test('it is called as its ids begin', () => {
  const name = (...ids: string[]): string => readText(ids.map((id) => issue({ id })).join('\n'), FILE).plan.name
  assert.equal(name('tea-shop-a1', 'tea-shop-b2.1'), 'tea-shop')
  assert.equal(name('tea-1', 'cup-1'), 'issues')
})

test('an issue waits by three of the types there are', () => {
  const types = ['blocks', 'related', 'parent-child', 'discovered-from', 'conditional-blocks', 'waits-for', '']
  const waits = types.filter((type) => {
    const dependencies = [{ issue_id: 'a-2', depends_on_id: 'a-1', type }]
    const second = JSON.stringify({ id: 'a-2', title: 'x', status: 'open', dependencies })
    return graphOf(readText(`${issue({ id: 'a-1' })}\n${second}`, FILE))['a-2']?.length
  })
  // Without a type it is the usual one.
  assert.deepEqual(waits, ['blocks', 'conditional-blocks', 'waits-for', ''])
})

test('a link that leads nowhere does not refuse the file', () => {
  for (const target of [{ depends_on_id: '' }, { depends_on_id: null }, {}]) {
    const dependencies = [{ issue_id: 'b', type: 'blocks', ...target }]
    const text = `${issue({ id: 'a' })}\n${JSON.stringify({ id: 'b', title: 'x', status: 'open', dependencies })}`
    const read = readText(text, FILE)
    assert.deepEqual(graphOf(read), { a: [], b: [] })
  }
})

test('a closed issue may have waited for one that is gone', () => {
  const read = readText(`${issue({ id: 'a', status: 'closed', waits: ['gone'] })}\n${issue({ id: 'b' })}`, FILE)
  assert.deepEqual(graphOf(read), { b: [] })
})

test('what is no work is left out: by its type with what waits for it, pinned alone', () => {
  const text = [
    issue({ id: 'a', issue_type: 'gate' }),
    issue({ id: 'b', waits: ['a'] }),
    issue({ id: 'c', issue_type: 'message' }),
    issue({ id: 'd', issue_type: 'agent' }),
    issue({ id: 'e', status: 'pinned' }),
    issue({ id: 'f', waits: ['e'] }),
    issue({ id: 'g', issue_type: 'molecule' }),
    issue({ id: 'h', part: 'g' }),
    issue({ id: 'i', issue_type: 'gate', status: 'closed' }),
    issue({ id: 'j', waits: ['i'] }),
    JSON.stringify({ id: 'k', title: 'K', status: 'open', pinned: true }),
    JSON.stringify({ id: 'l', title: 'L', status: 'open', is_template: true }),
  ].join('\n')
  const read = readText(text, FILE)
  assert.deepEqual(graphOf(read), { f: [], h: [], j: [] })
  assert.deepEqual(
    remarksOf(read, 'warnings').map((remark) => remark.replace(/^\d+:\d+ /, '')),
    ['issue `b` is left out: it depends on `a`, which is of the type `gate` (no work)'],
  )
  assert.deepEqual(
    remarksOf(read, 'assumed').map((remark) => remark.replace(/^(\d+):\d+ /, '$1 ')),
    [
      '1 issues that are of the type `gate` (no work) are left out: `a`',
      '3 issues that are of the type `message` (no work) are left out: `c`',
      '4 issues that are of the type `agent` (no work) are left out: `d`',
      '5 issues that are `pinned` are left out: `e`, `k`',
      '7 issues that are of the type `molecule` (no work) are left out: `g`',
      '12 issues that are marked as a template are left out: `l`',
    ],
  )
})

test('what an issue that is no epic waits for, its parts wait for; and they belong to the epic above', () => {
  const text = [
    issue({ id: 'a-1' }),
    issue({ id: 'a-2', issue_type: 'epic', waits: ['a-1'] }),
    issue({ id: 'a-2.1', issue_type: 'epic', part: 'a-2' }),
    issue({ id: 'a-2.2', issue_type: 'feature', part: 'a-2.1' }),
    issue({ id: 'a-2.2.1', part: 'a-2.2' }),
    issue({ id: 'a-2.2.2', part: 'a-2.2', waits: ['a-2.2'] }),
    issue({ id: 'a-3', waits: ['a-2'] }),
  ].join('\n')
  const read = readText(text, FILE)
  assert.deepEqual(graphOf(read), {
    'a-1': [],
    'a-2-2': ['a-1'],
    'a-2-2-1': ['a-1'],
    'a-2-2-2': ['a-2-2'],
    'a-3': ['a-2-2-1', 'a-2-2-2'],
  })
  assert.equal(taskOf(read, 'a-2-2-1').epic, 'a-2-1')
  assert.match(promptOf(read, 'a-2-2-1'), /part of\n\nDo a-2\.2$/)
})

test('an epic whose parts are done waits for what is below these', () => {
  const text = [
    issue({ id: 'outer', issue_type: 'epic' }),
    issue({ id: 'inner', issue_type: 'epic', part: 'outer' }),
    issue({ id: 'closed', status: 'closed', issue_type: 'feature', part: 'inner' }),
    issue({ id: 'deep', part: 'closed' }),
    issue({ id: 'last', waits: ['outer'] }),
  ].join('\n')
  assert.deepEqual(graphOf(readText(text, FILE)), { deep: [], last: ['deep'] })
})

test('the epics of a file are told of in one line', () => {
  const epics = ['e', 'f'].flatMap((id) => [issue({ id, issue_type: 'epic' }), issue({ id: `${id}1`, part: id })])
  assert.deepEqual(remarksOf(readText(epics.join('\n'), FILE), 'assumed'), [
    '1:1 epics are done when their issues are, and not run themselves: `e`, `f`',
  ])
})

test('the parts of what is no work itself are', () => {
  const text = [issue({ id: 'm', issue_type: 'molecule' }), issue({ id: 'step', part: 'm' })].join('\n')
  assert.deepEqual(statesOf(readText(text, FILE)), { m: 'skipped', step: 'open' })
})

test('comments are told', () => {
  const comments = [{ author: 'ada', text: 'Only for admins' }]
  const read = readText(JSON.stringify({ id: 'a', title: 'A', status: 'open', comments }), FILE)
  assert.equal(promptOf(read, 'a'), 'A\n\n## Comments\n\n- author: ada\n  text: Only for admins')
})

test('lines that are no issues are passed over', () => {
  const memory = '{"_type":"memory","key":"k","value":"v"}'
  const other = JSON.stringify({ _type: 'issue', id: 'x-1', title: 'a', status: 'open' })
  for (const text of [
    [memory, other, memory],
    [other, memory],
  ]) {
    const read = readText(text.join('\n'), FILE)
    assert.deepEqual(statesOf(read), { 'x-1': 'open' })
  }
})

test('types of dependencies in capitals', () => {
  const links: object[] = [
    { issue_id: 'b', depends_on_id: 'a', type: 'Blocks' },
    { depends_on_id: 'a', type: 'Waits_For' },
  ]
  for (const link of links) {
    const b = JSON.stringify({ id: 'b', title: 'B', status: 'open', dependencies: [link] })
    assert.deepEqual(graphOf(readText(`${issue({ id: 'a' })}\n${b}`, FILE)), { a: [], b: ['a'] }, JSON.stringify(link))
  }
})

test('a dependency that names nothing is told, and a wrong one once', () => {
  const link = (dependency: unknown) =>
    JSON.stringify({ id: 'a', title: 'A', status: 'open', dependencies: [dependency] })
  const read = readText(link({ type: 'blocks' }), FILE)
  assert.match(remarksOf(read, 'warnings').join(), /a dependency without `depends_on_id`: nothing waits for it/)
  for (const wrong of [7, { depends_on_id: true }]) assert.equal(refusal(link(wrong), FILE).length, 1)
})
