// Gemini generateContent, as the Gemini CLI speaks it.
import type { Protocol, Step } from './model-server.ts'
import { answersIn, failJson, isObject, sse, texts, toolNamed } from './wire.ts'

export const gemini: Protocol = {
  name: 'gemini',
  read(url, body) {
    const [, model, method] = /\/models\/([^/:]+):(\w+)$/.exec(url.pathname) ?? []
    if (model === undefined || !method?.toLowerCase().includes('generatecontent') || !isObject(body)) return null
    const contents = Array.isArray(body.contents) ? body.contents.filter(isObject) : []
    const tools = Array.isArray(body.tools)
      ? body.tools.filter(isObject).flatMap((tool) => {
          const declared = Array.isArray(tool.functionDeclarations) ? tool.functionDeclarations : []
          return declared.filter(isObject).map((one) => String(one.name))
        })
      : []
    return {
      model,
      stream: method === 'streamGenerateContent',
      text: contents
        .filter((content) => content.role === 'user')
        .flatMap((content) => texts(content.parts))
        .join('\n'),
      ...answersIn(contents.filter((content) => content.role === 'model').map(({ parts }) => parts)),
      tools,
      chars: JSON.stringify(contents).length,
    }
  },
  answer(response, { model, stream, tools }, step, tokens) {
    const part = step.do === 'say' ? { text: step.text } : { functionCall: call(step, tools) }
    const answer = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: tokens.input + tokens.cacheRead,
        cachedContentTokenCount: tokens.cacheRead,
        candidatesTokenCount: tokens.output - tokens.reasoning,
        thoughtsTokenCount: tokens.reasoning,
        totalTokenCount: tokens.input + tokens.cacheRead + tokens.output,
      },
      modelVersion: model,
    }
    if (stream) sse(response, [[null, answer]])
    else {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer))
    }
  },
  fail(response, { status, retryAfterS, message }) {
    const code = status === 429 ? 'RESOURCE_EXHAUSTED' : 'UNAVAILABLE'
    const details =
      retryAfterS === undefined
        ? []
        : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfterS}s` }]
    failJson(
      response,
      status,
      { error: { code: status, message: message ?? `scripted ${status}`, status: code, details } },
      retryAfterS,
    )
  },
}

function call(step: Extract<Step, { do: 'write' | 'run' | 'tool' }>, tools: string[]): { name: string; args: object } {
  if (step.do === 'tool') return { name: toolNamed(tools, step.tool), args: step.input }
  if (step.do === 'run')
    return { name: 'run_shell_command', args: { command: step.command, description: 'Runs a command' } }
  return { name: 'write_file', args: { file_path: step.path, content: step.text } }
}
