// Anthropic Messages, as Claude Code speaks it.
import type { Protocol, Step } from './model-server.ts'
import { answersIn, isObject, sse, texts, toolNamed } from './wire.ts'

export const anthropic: Protocol = {
  name: 'anthropic',
  read(url, body) {
    if (!url.pathname.endsWith('/v1/messages') || !isObject(body)) return null
    const messages = Array.isArray(body.messages) ? body.messages.filter(isObject) : []
    const tools = Array.isArray(body.tools) ? body.tools.filter(isObject).map((tool) => String(tool.name)) : []
    const said = messages.filter((message) => message.role === 'user').flatMap((message) => texts(message.content))
    return {
      model: String(body.model),
      stream: body.stream === true,
      text: said.join('\n'),
      ...answersIn(messages.filter((message) => message.role === 'assistant').map(({ content }) => content)),
      tools,
      chars: JSON.stringify(messages).length,
    }
  },
  answer(response, { model, stream, tools }, step, tokens) {
    const content =
      step.do === 'say'
        ? { type: 'text' as const, text: step.text }
        : {
            type: 'tool_use' as const,
            id: `toolu_${Math.random().toString(36).slice(2)}`,
            ...call(step, tools),
          }
    const stop_reason = step.do === 'say' ? 'end_turn' : 'tool_use'
    const usage = {
      input_tokens: tokens.input,
      cache_creation_input_tokens: tokens.cacheWrite,
      cache_read_input_tokens: tokens.cacheRead,
      output_tokens: tokens.output,
      output_tokens_details: { thinking_tokens: tokens.reasoning },
    }
    const message = { id: `msg_${Math.random().toString(36).slice(2)}`, type: 'message', role: 'assistant', model }
    if (!stream) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...message, content: [content], stop_reason, stop_sequence: null, usage }))
      return
    }
    const start = {
      ...message,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    }
    const empty = content.type === 'text' ? { type: 'text', text: '' } : { ...content, input: {} }
    const delta =
      content.type === 'text'
        ? { type: 'text_delta', text: content.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(content.input) }
    sse(response, [
      ['message_start', { type: 'message_start', message: start }],
      ['content_block_start', { type: 'content_block_start', index: 0, content_block: empty }],
      ['content_block_delta', { type: 'content_block_delta', index: 0, delta }],
      ['content_block_stop', { type: 'content_block_stop', index: 0 }],
      [
        'message_delta',
        { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: tokens.output } },
      ],
      ['message_stop', { type: 'message_stop' }],
    ])
  },
  fail(response, { status, retryAfterS, message }) {
    const type =
      status === 429
        ? 'rate_limit_error'
        : status === 529
          ? 'overloaded_error'
          : status === 401
            ? 'authentication_error'
            : 'api_error'
    const headers = retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ type: 'error', error: { type, message: message ?? `scripted ${status}` } }))
  },
}

function call(step: Extract<Step, { do: 'write' | 'run' | 'tool' }>, tools: string[]): { name: string; input: object } {
  if (step.do === 'tool') return { name: toolNamed(tools, step.tool), input: step.input }
  if (step.do === 'write') return { name: 'Write', input: { file_path: step.path, content: step.text } }
  return { name: 'Bash', input: { command: step.command, description: 'Run a command' } }
}
