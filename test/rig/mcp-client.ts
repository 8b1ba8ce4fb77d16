// The task manager as an agent's program has it: the real `espalier mcp` in a process of its own, started as the file
// says that the attempt was given.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Puppet } from './stage.ts'

export type Answer = { text: string; isError: boolean }

export class McpClient implements AsyncDisposable {
  readonly #client: Client

  private constructor(client: Client) {
    this.#client = client
  }

  /** `more` overrules what the file says of its environment. */
  static async of({ hello }: Puppet, more: Record<string, string> = {}): Promise<McpClient> {
    return McpClient.at(hello.env.ESPALIER_MCP_CONFIG ?? '', more)
  }

  static async at(config: string, more: Record<string, string> = {}): Promise<McpClient> {
    const { espalier } = JSON.parse(readFileSync(config, 'utf8')).mcpServers
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StdioClientTransport({ ...espalier, env: { ...espalier.env, ...more } }))
    return new McpClient(client)
  }

  async tools(): Promise<string[]> {
    return (await this.#client.listTools()).tools.map(({ name }) => name).sort()
  }

  async call(name: string, input: Record<string, unknown> = {}): Promise<Answer> {
    const { content, isError } = await this.#client.callTool({ name, arguments: input })
    const [first] = content as { text?: string }[]
    assert.ok(first?.text !== undefined, JSON.stringify(content))
    return { text: first.text, isError: isError === true }
  }

  /** What a tool that reads gives. */
  async read<T>(name: string): Promise<T> {
    const { text, isError } = await this.call(name)
    assert.ok(!isError, text)
    return JSON.parse(text) as T
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close()
  }
}
