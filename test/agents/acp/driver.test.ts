// The program between the engine and an ACP agent, with a real agent behind it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { acpAgent } from '../../../src/agents/acp/agent.ts'
import type { AcpLine } from '../../../src/agents/acp/driver-protocol.ts'
import { type AcpStep, SCRIPTED_ACP_AGENT } from '../scripted-acp-agent.ts'

type Orders = Partial<Parameters<ReturnType<typeof acpAgent>['invoke']>[0]>
type Driven = { lines: AcpLine[]; code: number | null; signal: string | null }

/** A folder for an agent to work in, and the driver run there. */
class Place implements Disposable {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'espalier-acp-')))

  async drive(script: AcpStep[], orders: Orders = {}, ways: string[] = []): Promise<Driven> {
    return this.start([process.execPath, SCRIPTED_ACP_AGENT, ...ways], script, orders)
  }

  async start([program = '', ...args]: string[], script: AcpStep[], orders: Orders = {}): Promise<Driven> {
    const agent = acpAgent('scripted', program, args)
    const assignment = { promptFile: '', newSession: '', model: null, resume: null, mayWrite: null, ...orders }
    const [command = '', ...argv] = agent.invoke(assignment).argv
    const child = spawn(command, argv, { cwd: this.path, stdio: ['pipe', 'pipe', 'ignore'] })
    const ended = once(child, 'exit')
    child.stdin.end(`${JSON.stringify(script)}\n`)
    const out = await text(child.stdout)
    const [code, signal] = await ended
    const lines = out.split('\n').filter((line) => line !== '')
    return { lines: lines.map((line) => JSON.parse(line) as AcpLine), code, signal }
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

function kinds({ lines }: Driven): string[] {
  return lines.map(({ type }) => type)
}

function only<T extends AcpLine['type']>({ lines }: Driven, type: T): Extract<AcpLine, { type: T }> {
  const found = lines.filter((line): line is Extract<AcpLine, { type: T }> => line.type === type)
  assert.equal(found.length, 1, JSON.stringify(lines))
  return found[0] ?? assert.fail()
}

test('a turn is told from the session to the reason it stopped, and the agent may write', async () => {
  using place = new Place()
  const usage = { totalTokens: 10, inputTokens: 1, outputTokens: 2, cachedReadTokens: 3, thoughtTokens: 4 }
  const driven = await place.drive(
    [
      { do: 'think', text: 'What now?' },
      { do: 'say', text: 'I will write a.txt.' },
      { do: 'write', path: 'a.txt', text: 'by the agent' },
      { do: 'cost', usd: 0.25 },
      { do: 'cost', usd: 9, currency: 'EUR' },
      { do: 'say', text: 'Done.' },
      { do: 'stop', reason: 'end_turn', usage },
    ],
    {},
    ['option'],
  )
  assert.equal(readFileSync(join(place.path, 'a.txt'), 'utf8'), 'by the agent')
  const tool = { id: 'call-1', title: 'Write a.txt', kind: 'edit', input: null }
  const paths = [join(place.path, 'a.txt')]
  assert.deepEqual(driven, {
    code: 0,
    signal: null,
    lines: [
      { type: 'session', id: 'conversation-1', model: 'first', agent: 'Scripted 1.0', resumable: false },
      { type: 'thought', text: 'What now?', continues: false },
      { type: 'message', text: 'I will write a.txt.', continues: false },
      { type: 'tool', ...tool, status: 'pending', paths: [] },
      { type: 'tool-update', ...tool, status: 'in_progress', paths, output: null },
      { type: 'permission', tool: 'call-1', title: 'Write a.txt', answer: 'allowed', outside: [] },
      { type: 'tool-update', ...tool, status: 'completed', paths, output: null },
      { type: 'cost', usd: 0.25 },
      { type: 'message', text: 'Done.', continues: false },
      { type: 'stop', reason: 'end_turn', tokens: { input: 1, output: 2, cacheRead: 3, cacheWrite: 0, thought: 4 } },
    ],
  })
})

test('a write outside of what it may write is denied, and nothing else', async () => {
  using place = new Place()
  const script: AcpStep[] = [
    { do: 'write', path: 'docs/a.md', text: 'no' },
    { do: 'write', path: 'docs/b.md', text: 'no', terse: true },
    { do: 'write', path: '../outside.txt', text: 'no' },
    { do: 'write', path: 'src/a.ts', text: 'yes' },
  ]
  const driven = await place.drive(script, { mayWrite: ['src/**'] })
  const answers = driven.lines.flatMap((line) => (line.type === 'permission' ? [[line.answer, line.outside]] : []))
  assert.deepEqual(answers, [
    ['denied', ['docs/a.md']],
    ['denied', ['docs/b.md']],
    ['denied', [join(place.path, '..', 'outside.txt')]],
    ['allowed', []],
  ])
  assert.deepEqual(
    ['docs/a.md', 'docs/b.md', '../outside.txt', 'src/a.ts'].map((path) => existsSync(join(place.path, path))),
    [false, false, false, true],
  )
})

test('what it was granted meanwhile it may write', async () => {
  using place = new Place()
  const mayWrite = join(place.path, 'may-write.json')
  writeFileSync(mayWrite, JSON.stringify({ enforce: true, write: ['src/**', 'docs/a.md'] }))
  const hooks = { settings: '', mayWrite, worktree: place.path, heartbeat: '', sessionEnd: '' }
  const script: AcpStep[] = ['docs/a.md', 'docs/b.md'].map((path) => ({ do: 'write', path, text: 'x' }))
  const driven = await place.drive(script, { mayWrite: ['src/**'], hooks })
  const answers = driven.lines.flatMap((line) => (line.type === 'permission' ? [line.answer] : []))
  assert.deepEqual(answers, ['allowed', 'denied'])
})

test('the task manager is handed on, with the variables of its own environment', async () => {
  using place = new Place()
  const mcp = { command: 'node', args: ['x'], env: { HOME: 'not from here' }, folder: '', environment: {} }
  const driven = await place.drive([{ do: 'servers' }], { mcp })
  const env = [{ name: 'HOME', value: process.env.HOME }]
  assert.deepEqual(JSON.parse(only(driven, 'message').text), [{ name: 'espalier', command: 'node', args: ['x'], env }])
})

test('a long message comes in parts that belong together', async () => {
  using place = new Place()
  const long = 'word '.repeat(1000)
  const { lines } = await place.drive([{ do: 'say', text: long }])
  const parts = lines.flatMap((line) => (line.type === 'message' ? [line] : []))
  assert.ok(parts.length > 1)
  assert.equal(parts.map((part) => part.text).join(''), long)
  assert.deepEqual([...new Set(parts.slice(1).map((part) => part.continues))], [true])
})

for (const way of ['option', 'models']) {
  test(`the model is chosen where the agent lets it be (${way})`, async () => {
    using place = new Place()
    assert.equal(only(await place.drive([], { model: 'second' }, [way]), 'session').model, 'second')
  })
}

test('an agent whose model cannot be chosen does not begin with another one', async () => {
  using place = new Place()
  const driven = await place.drive([{ do: 'write', path: 'a.txt', text: '' }], { model: 'second' })
  assert.match(only(driven, 'error').message, /does not let its model be chosen/)
  assert.deepEqual([driven.code, kinds(driven), existsSync(join(place.path, 'a.txt'))], [1, ['error'], false])
})

for (const way of ['resume', 'load']) {
  test(`a conversation is taken up by session/${way}, and what was said before is not said again`, async () => {
    using place = new Place()
    await place.drive([{ do: 'later', steps: [{ do: 'say', text: 'I go on.' }] }], {}, [way])
    const driven = await place.drive([], { resume: 'conversation-1' }, [way])
    assert.equal(only(driven, 'session').id, 'conversation-1')
    assert.equal(only(driven, 'message').text, 'I go on.')
  })
}

test('an agent that cannot take up a conversation says so instead of beginning a new one', async () => {
  using place = new Place()
  const driven = await place.drive([{ do: 'say', text: 'new' }], { resume: 'conversation-1' })
  assert.match(only(driven, 'error').message, /cannot go on with a conversation/)
})

test('what the agent answers with an error is told, with the status of its provider', async () => {
  using place = new Place()
  const driven = await place.drive([{ do: 'fail', code: 429, message: 'slow down' }])
  assert.deepEqual(only(driven, 'error'), { type: 'error', message: 'slow down', status: 429 })
  assert.equal(driven.code, 1)
})

test('an agent that wants a login says so', async () => {
  using place = new Place()
  assert.match(only(await place.drive([], {}, ['locked']), 'error').message, /wants a login first/)
})

test('an agent that ends in the middle is no agent that has finished: it ends the same way, without a reason', async () => {
  using place = new Place()
  const exited = await place.drive([{ do: 'exit', code: 3 }])
  assert.deepEqual([exited.code, exited.signal, kinds(exited)], [3, null, ['session']])
  const quiet = await place.drive([{ do: 'exit', code: 0 }])
  assert.deepEqual([quiet.code, kinds(quiet)], [0, ['session']])
  const killed = await place.drive([{ do: 'signal', signal: 'SIGKILL' }])
  assert.deepEqual([killed.code, killed.signal, kinds(killed)], [null, 'SIGKILL', ['session']])
})

test('a program that cannot be started, or speaks something else, is told of', async () => {
  using place = new Place()
  assert.match(only(await place.start(['/nonexistent/agent'], []), 'error').message, /could not be started/)
  const other = await place.start(['sh', '-c', 'echo hello; exit 5'], [])
  assert.deepEqual([other.code, other.lines], [5, []])
})
