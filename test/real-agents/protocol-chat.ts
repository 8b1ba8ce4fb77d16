// OpenAI Chat Completions, as opencode speaks it.
import type { Protocol, Step } from './model-server.ts'
import { failJson, isObject, sse, texts, toolNamed } from './wire.ts'

export const chatCompletions: Protocol = {
  name: 'chat',
  read(url, body) {
    if (!url.pathname.endsWith('/chat/completions') || !isObject(body)) return null
    const messages = Array.isArray(body.messages) ? body.messages.filter(isObject) : []
    const tools = Array.isArray(body.tools)
      ? body.tools.filter(isObject).map((tool) => String(isObject(tool.function) ? tool.function.name : ''))
      : []
    const spoken = messages.filter((message) => message.role === 'assistant')
    return {
      model: String(body.model),
      stream: body.stream === true,
      text: messages
        .filter((message) => message.role === 'user')
        .flatMap((message) => texts(message.content))
        .join('\n'),
      calls: spoken.filter((message) => Array.isArray(message.tool_calls)).length,
      said: spoken
        .filter((message) => !Array.isArray(message.tool_calls))
        .map(({ content }) => texts(content).join('\n')),
      tools,
      chars: JSON.stringify(messages).length,
    }
  },
  answer(response, { model, stream, tools }, step, tokens) {
    const id = Math.random().toString(36).slice(2)
    const message =
      step.do === 'say'
        ? { role: 'assistant', content: step.text }
        : {
            role: 'assistant',
            content: null,
            tool_calls: [{ index: 0, id: `call_${id}`, type: 'function', function: call(step, tools) }],
          }
    const finish_reason = step.do === 'say' ? 'stop' : 'tool_calls'
    const usage = {
      prompt_tokens: tokens.input + tokens.cacheRead,
      completion_tokens: tokens.output,
      total_tokens: tokens.input + tokens.cacheRead + tokens.output,
      prompt_tokens_details: { cached_tokens: tokens.cacheRead },
      completion_tokens_details: { reasoning_tokens: tokens.reasoning },
    }
    const base = { id: `chatcmpl-${id}`, created: Math.floor(Date.now() / 1000), model }
    if (!stream) {
      response.writeHead(200, { 'content-type': 'application/json' })
      const choices = [{ index: 0, message, finish_reason }]
      response.end(JSON.stringify({ ...base, object: 'chat.completion', choices, usage }))
      return
    }
    const chunk = { ...base, object: 'chat.completion.chunk' }
    sse(response, [
      [null, { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] }],
      [null, { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] }],
      [null, { ...chunk, choices: [], usage }],
      [null, '[DONE]'],
    ])
  },
  fail(response, { status, retryAfterS, message }) {
    failJson(
      response,
      status,
      { error: { message: message ?? `scripted ${status}`, type: 'error', code: status } },
      retryAfterS,
    )
  },
}

function call(
  step: Extract<Step, { do: 'write' | 'run' | 'tool' }>,
  tools: string[],
): { name: string; arguments: string } {
  if (step.do === 'tool') return { name: toolNamed(tools, step.tool), arguments: JSON.stringify(step.input) }
  if (step.do === 'run')
    return { name: 'bash', arguments: JSON.stringify({ command: step.command, description: 'Runs a command' }) }
  return { name: 'write', arguments: JSON.stringify({ filePath: step.path, content: step.text }) }
}
