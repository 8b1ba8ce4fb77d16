// A program that speaks as Claude Code does: stream-json on standard output, the prompt on standard input, conversations
// that can be resumed. What it does is in the folder CLAUDE_FAKE, one file per process of the conversation, `1.json`,
// `2.json`: { sh, calls, say, costUsd, tokens }. It notes how it was called in `called`, one JSON line each.
// Tokens are counted from the start of the process, the cost from the start of the conversation: as the real one does.
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env.CLAUDE_FAKE
const argv = process.argv.slice(2)
const after = (flag) => argv[argv.indexOf(flag) + 1]
const resumes = argv.includes('--resume')
const session = resumes ? after('--resume') : after('--session-id')
const memory = join(folder, `session-${session}`)
if (resumes !== existsSync(memory)) throw new Error(`session ${session}: ${resumes ? 'not there' : 'there already'}`)

const { processes, costUsd } = resumes ? JSON.parse(readFileSync(memory, 'utf8')) : { processes: 0, costUsd: 0 }
const prompt = readFileSync(0, 'utf8')
appendFileSync(join(folder, 'called'), `${JSON.stringify({ session, resumes, prompt })}\n`)
const play = JSON.parse(readFileSync(join(folder, `${processes + 1}.json`), 'utf8'))
const total = costUsd + (play.costUsd ?? 0)
writeFileSync(memory, JSON.stringify({ processes: processes + 1, costUsd: total }))

const print = (line) =>
  new Promise((resolve) => process.stdout.write(`${JSON.stringify({ ...line, session_id: session })}\n`, resolve))
const message = (id, ...content) => print({ type: 'assistant', message: { id, content } })

await print({ type: 'system', subtype: 'init', model: 'claude-sonnet-4-5' })
for (const [index, command] of (play.calls ?? []).entries())
  await message(`m${index}`, { type: 'tool_use', name: 'Bash', input: { command } })
if (play.sh) execFileSync('sh', ['-c', play.sh], { stdio: ['ignore', 'ignore', 'inherit'] })
await message('last', { type: 'text', text: play.say })
await print({
  type: 'result',
  subtype: 'success',
  is_error: false,
  num_turns: (play.calls?.length ?? 0) + 1,
  result: play.say,
  total_cost_usd: total,
  usage: { input_tokens: play.tokens ?? 0, output_tokens: 1 },
})
