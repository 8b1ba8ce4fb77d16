// OpenAI Responses, as Codex speaks it.
import type { Protocol, Step } from './model-server.ts'
import { failJson, isObject, sse, texts, toolNamed } from './wire.ts'

export const responses: Protocol = {
  name: 'responses',
  read(url, body) {
    if (!url.pathname.endsWith('/responses') || !isObject(body)) return null
    const input = Array.isArray(body.input) ? body.input.filter(isObject) : []
    // For its newest models Codex puts them into the conversation.
    const places = [body, ...input.filter(({ type }) => type === 'additional_tools')]
    const tools = places.flatMap((one) =>
      Array.isArray(one.tools) ? one.tools.filter(isObject).flatMap(toolNames) : [],
    )
    const said = input.filter((item) => item.role === 'user').flatMap((item) => texts(item.content))
    const isCall = ({ type }: Record<string, unknown>) => type === 'function_call' || type === 'custom_tool_call'
    const spoken = input.filter((item) => item.role === 'assistant')
    return {
      model: String(body.model),
      stream: true,
      text: said.join('\n'),
      calls: input.filter(isCall).length,
      said: spoken.map((item) => texts(item.content).join('\n')),
      tools,
      chars: JSON.stringify(input).length,
    }
  },
  answer(response, { tools, model }, step, tokens) {
    const id = Math.random().toString(36).slice(2)
    const item =
      step.do === 'say'
        ? {
            type: 'message',
            id: `msg_${id}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: step.text, annotations: [] }],
          }
        : { id: `fc_${id}`, call_id: `call_${id}`, status: 'completed', ...call(step, tools) }
    const usage = {
      input_tokens: tokens.input + tokens.cacheRead,
      input_tokens_details: { cached_tokens: tokens.cacheRead },
      output_tokens: tokens.output,
      output_tokens_details: { reasoning_tokens: tokens.reasoning },
      total_tokens: tokens.input + tokens.cacheRead + tokens.output,
    }
    const base = { id: `resp_${id}`, object: 'response', model, created_at: Math.floor(Date.now() / 1000) }
    const started = { ...base, status: 'in_progress', output: [] }
    const completed = { ...base, status: 'completed', output: [item], usage }
    sse(response, [
      ['response.created', { type: 'response.created', response: started }],
      [
        'response.output_item.added',
        { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
      ],
      ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
      ['response.completed', { type: 'response.completed', response: completed }],
    ])
  },
  fail(response, { status, retryAfterS, message }) {
    const code = status === 429 ? 'rate_limit_exceeded' : 'server_error'
    failJson(response, status, { error: { message: message ?? `scripted ${status}`, type: code, code } }, retryAfterS)
  },
}

/** Those of an MCP server come together, under its name: `mcp__espalier/update_task`. */
function toolNames(tool: Record<string, unknown>): string[] {
  const name = String(tool.name ?? tool.type)
  if (tool.type !== 'namespace' || !Array.isArray(tool.tools)) return [name]
  return tool.tools.filter(isObject).map((one) => `${name}/${one.name}`)
}

type Call =
  | { type: 'function_call'; name: string; namespace?: string; arguments: string }
  | { type: 'custom_tool_call'; name: string; namespace: string; input: string }

/** With its newest models Codex has all tools used from a program that it runs. */
const PROGRAM = 'functions/exec'

/** Codex writes files with its shell; which one it offers depends on the model. */
function call(step: Extract<Step, { do: 'write' | 'run' | 'tool' }>, tools: string[]): Call {
  if (step.do === 'tool') {
    const [namespace = '', name = ''] = toolNamed(tools, `/${step.tool}`).split('/')
    return { type: 'function_call', namespace, name, arguments: JSON.stringify(step.input) }
  }
  const command =
    step.do === 'run'
      ? step.command
      : `mkdir -p "$(dirname '${step.path}')" && printf '%s' '${step.text.replaceAll("'", `'\\''`)}' > '${step.path}'`
  if (tools.includes(PROGRAM)) {
    const input = `text((await tools.exec_command(${JSON.stringify({ cmd: command })})).output)`
    return { type: 'custom_tool_call', namespace: 'functions', name: 'exec', input }
  }
  const type = 'function_call'
  if (tools.includes('exec_command')) return { type, name: 'exec_command', arguments: JSON.stringify({ cmd: command }) }
  if (tools.includes('shell_command')) return { type, name: 'shell_command', arguments: JSON.stringify({ command }) }
  return { type, name: 'shell', arguments: JSON.stringify({ command: ['sh', '-c', command] }) }
}
