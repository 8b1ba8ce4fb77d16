// A program that speaks as Claude Code does: stream-json on standard output, the prompt on standard input, conversations
// that can be resumed. What it does is in the folder CLAUDE_FAKE, one file per process of the conversation, `1.json`,
// `2.json`: { sh, calls, writes, say, costUsd, tokens, subtype, model, stubborn, told, until }. It notes how it was called in `called`, one JSON line each. The
// hooks of its settings are run as the real one runs them: before and after a write, and at the end.
// As the real one does, `modelUsage` and the cost are counted from the start of the conversation, `usage` from that of the process.
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const folder = process.env.CLAUDE_FAKE
const argv = process.argv.slice(2)
const after = (flag) => argv[argv.indexOf(flag) + 1]
const resumes = argv.includes('--resume')
const session = resumes ? after('--resume') : after('--session-id')
const memory = join(folder, `session-${session}`)
if (resumes !== existsSync(memory)) throw new Error(`session ${session}: ${resumes ? 'not there' : 'there already'}`)

const none = { processes: 0, costUsd: 0, tokens: 0 }
const { processes, costUsd, tokens } = resumes ? JSON.parse(readFileSync(memory, 'utf8')) : none
const prompt = readFileSync(0, 'utf8')
appendFileSync(join(folder, 'called'), `${JSON.stringify({ session, resumes, prompt, argv })}\n`)
const play = JSON.parse(readFileSync(join(folder, `${processes + 1}.json`), 'utf8'))
const total = costUsd + (play.costUsd ?? 0)
const inputTokens = tokens + (play.tokens ?? 0)
writeFileSync(memory, JSON.stringify({ processes: processes + 1, costUsd: total, tokens: inputTokens }))

const print = (line) =>
  new Promise((resolve) => process.stdout.write(`${JSON.stringify({ ...line, session_id: session })}\n`, resolve))
const message = (id, ...content) => print({ type: 'assistant', message: { id, content } })

const settings = argv.includes('--settings') ? JSON.parse(readFileSync(after('--settings'), 'utf8')) : {}
/** What the hooks of an event answer. */
const hooks = (event, input) =>
  (settings.hooks?.[event] ?? []).flatMap((entry) =>
    entry.hooks.map(({ command }) => {
      const text = JSON.stringify({ session_id: session, hook_event_name: event, ...input })
      const { stdout } = spawnSync('sh', ['-c', command], { input: text, encoding: 'utf8' })
      return stdout === '' ? {} : JSON.parse(stdout).hookSpecificOutput
    }),
  )
const denials = []
const write = (path, text) => {
  const call = { tool_name: 'Write', tool_input: { file_path: path } }
  if (hooks('PreToolUse', call).some((answer) => answer.permissionDecision === 'deny')) denials.push(call)
  else {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    hooks('PostToolUse', call)
  }
}

const model = play.model ?? 'claude-sonnet-4-5'
await print({ type: 'system', subtype: 'init', model })
if (play.stubborn) process.on('SIGTERM', () => {})
if (play.told) process.on('SIGTERM', () => writeFileSync(play.told, ''))
for (const [index, command] of (play.calls ?? []).entries())
  await message(`m${index}`, { type: 'tool_use', name: 'Bash', input: { command } })
while (play.until && !existsSync(play.until)) await setTimeout(20)
for (const path of play.writes ?? []) write(path, `${path}\n`)
if (play.sh) execFileSync('sh', ['-c', play.sh], { stdio: ['ignore', 'ignore', 'inherit'] })
await message('last', { type: 'text', text: play.say })
await print({
  type: 'result',
  subtype: play.subtype ?? 'success',
  is_error: false,
  num_turns: (play.calls?.length ?? 0) + 1,
  result: play.say,
  permission_denials: denials,
  total_cost_usd: total,
  usage: { input_tokens: play.tokens ?? 0, output_tokens: 1 },
  modelUsage: { [model]: { inputTokens, outputTokens: processes + 1 } },
})
hooks('SessionEnd', { transcript_path: join(folder, `${session}.jsonl`), reason: 'other' })
