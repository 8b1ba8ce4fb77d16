// The page about the task manager says what the server does.
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { takesMcp } from '../../src/agents/mcp-server.ts'
import { LIMITS } from '../../src/config.ts'
import { serveTaskManager } from '../../src/server/mcp/task-manager-tools.ts'
import { coded, pageText, tableOf } from './pages.ts'

const PAGE = 'docs/task-manager.md'

test('the tools and their inputs are those of the server', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const served = serveTaskManager(null, '1', { input, output })
  const client = new Client({ name: 'test', version: '1' })
  // Both ends of this transport write a message on a line.
  await client.connect(new StdioServerTransport(output, input))
  const { tools } = await client.listTools()
  await client.close()
  input.end()
  await served
  const real = tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})])
  const documented = tableOf(PAGE, 'The tools', 'tool').map(([name = '', input = '']) => [coded(name)[0], coded(input)])
  assert.deepEqual(documented.sort(), real.sort())
})

test('who gets it is as the page says', () => {
  const rows = tableOf(PAGE, 'Who gets it', 'agent')
  for (const [agent = '', how = ''] of rows) {
    const name = coded(agent)[0] ?? ''
    if (name !== 'command') assert.equal(takesMcp(name), !how.startsWith('not at all'), name)
  }
  assert.equal(rows.length, 6)
})

test('the limits are those of the code', () => {
  const text = pageText(PAGE)
  const { messageChars, notes, asks, askedPaths } = LIMITS
  assert.ok(text.includes(`cut after ${messageChars.toLocaleString('en')} characters`))
  assert.ok(text.includes(`can tell ${notes} things and ask ${asks} times, for ${askedPaths} paths at once`))
})
