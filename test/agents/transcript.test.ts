// What the programs printed when they were recorded, as a person reads it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { transcriptOf } from '../../src/agents/agents-by-name.ts'
import { type Part, transcript } from '../../src/agents/transcript.ts'

function readable(name: string): string[] {
  const text = readFileSync(new URL(`./transcripts/${name}.jsonl`, import.meta.url), 'utf8')
  const reader = transcriptOf(name.split('-')[0] ?? '') ?? assert.fail()
  return [...text.split('\n').flatMap((line) => reader.line(line)), ...reader.end()]
}

const WROTE = '/repo/hello.txt'
const SAID = ['', 'I wrote hello.txt.', '']

const RECORDED: Record<string, (string | RegExp)[]> = {
  'claude-success': [
    /^ {2}✓ Write \/repo\/hello.txt → File created successfully .{60,}…$/,
    '  ✓ Bash cat hello.txt → hello',
    ...SAID,
  ],
  'claude-limited': [
    /^ {2}✓ Write/,
    '! the provider answered with rate_limit (429): tried again',
    '',
    /Request rejected \(429\)/,
    '',
  ],
  'codex-success': [/^! Model metadata/, /^ {2}✓ shell 'mkdir/, '  ✓ shell cat hello.txt → hello', ...SAID],
  'opencode-success': [`  ✓ write ${WROTE} → Wrote file successfully.`, '  ✓ bash cat hello.txt → hello', ...SAID],
  'opencode-limited': [`  ✓ write ${WROTE} → Wrote file successfully.`, '! scripted 429'],
  'gemini-success': [`  ✓ write_file ${WROTE}`, '  ✓ run_shell_command cat hello.txt → hello', ...SAID],
  'gemini-denied': [/^! \[API Error: .*401/],
}

for (const [name, expected] of Object.entries(RECORDED)) {
  test(`${name}: what it said, and a line for each tool`, () => {
    const lines = readable(name)
    assert.equal(lines.length, expected.length, lines.join('\n'))
    for (const [at, line] of expected.entries())
      if (typeof line === 'string') assert.equal(lines[at], line)
      else assert.match(lines[at] ?? '', line)
  })
}

test('tools that failed are told from those that worked, in every protocol', () => {
  const failed: Record<string, object[]> = {
    claude: [
      {
        type: 'assistant',
        message: { content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'x' } }] },
      },
      {
        type: 'user',
        message: { content: [{ type: 'tool_result', tool_use_id: 't', is_error: true, content: 'no' }] },
      },
    ],
    codex: [
      {
        type: 'item.completed',
        item: { type: 'command_execution', command: 'x', exit_code: 1, aggregated_output: 'no' },
      },
    ],
    opencode: [
      { type: 'tool_use', part: { tool: 'bash', state: { status: 'error', input: { command: 'x' }, error: 'no' } } },
    ],
    gemini: [
      { type: 'tool_use', tool_id: 't', tool_name: 'shell', parameters: { command: 'x' } },
      { type: 'tool_result', tool_id: 't', status: 'error', error: { message: 'no' } },
    ],
  }
  for (const [agent, lines] of Object.entries(failed)) {
    const reader = transcriptOf(agent) ?? assert.fail()
    const shown = lines.flatMap((line) => reader.line(JSON.stringify(line)))
    assert.equal(shown.length, 1, agent)
    assert.match(shown[0] ?? '', /^ {2}✗ (Bash|shell|bash) x → no$/)
  }
})

test('an ACP agent: messages in pieces, and tools that are explained with their result', () => {
  const reader = transcriptOf('acp:goose') ?? assert.fail()
  const tool = { id: 't', kind: 'edit', paths: ['/repo/a.ts'], input: null }
  const lines = [
    { type: 'message', text: 'I wri', continues: false },
    { type: 'message', text: 'te.', continues: true },
    { type: 'message', text: 'Now.', continues: false },
    { type: 'tool', ...tool, title: 'edit', status: 'pending' },
    { type: 'tool-update', ...tool, title: 'Editing', status: 'completed', output: 'done' },
    { type: 'permission', tool: 't', title: 'Writing b.ts', answer: 'denied', outside: ['b.ts'] },
  ]
  assert.deepEqual(
    lines.flatMap((line) => reader.line(JSON.stringify(line))),
    ['', 'I write.', '', '', 'Now.', '', '  ✓ edit Editing /repo/a.ts → done', '! not allowed: Writing b.ts'],
  )
})

function rendered(...parts: Part[]): string[] {
  const reader = transcript((line) => [line.part as Part])
  return [...parts.flatMap((part) => reader.line(JSON.stringify({ part }))), ...reader.end()]
}

test('calls and results find each other, in whatever order they come', () => {
  const call = (id: string): Part => ({ kind: 'call', id, tool: 'Read', what: `${id}.ts` })
  const result = (id: string): Part => ({ kind: 'result', id, ok: true, output: null })
  assert.deepEqual(rendered(call('a'), call('b'), call('c'), result('b'), result('x'), result('a')), [
    '  ✓ Read b.ts',
    '  ✓ Read a.ts',
    '  … Read c.ts',
  ])
})

test('a message that comes in pieces is one message', () => {
  const piece = (text: string): Part => ({ kind: 'said', text, piece: true })
  const used: Part = { kind: 'used', tool: 'ls', what: null, ok: true, output: 'a\nb' }
  assert.deepEqual(rendered(piece('one '), piece('two\nthree'), used, piece('four')), [
    ...['', 'one two', 'three', ''],
    '  ✓ ls → a b',
    ...['', 'four', ''],
  ])
})

test('nothing an agent prints can steer the terminal, and long output is cut', () => {
  const long: Part = { kind: 'used', tool: 'sh', what: '\x1b[2Jrm', ok: true, output: 'y'.repeat(1e6) }
  const [line = '', ...rest] = rendered(long, { kind: 'said', text: 'a\x1b]0;title\x07b' })
  assert.match(line, /^ {2}✓ sh \[2Jrm → y{100}…$/)
  assert.deepEqual(rest, ['', 'a ]0;title b', ''])
})

test('what is no part of the protocol is shown as it is, and what makes no sense does no harm', () => {
  for (const agent of ['claude', 'codex', 'opencode', 'gemini']) {
    const reader = transcriptOf(agent) ?? assert.fail()
    assert.deepEqual(reader.line('npm warn something'), ['npm warn something'])
    for (const type of ['assistant', 'user', 'result', 'item.completed', 'error', 'text', 'tool_use', 'tool_result', 5])
      for (const more of [{}, { message: null, item: [], part: 'x' }, { message: { content: [null, 1, { type }] } }])
        assert.doesNotThrow(() => reader.line(JSON.stringify({ type, ...more })))
    reader.end()
  }
  assert.equal(transcriptOf('command'), null)
})
