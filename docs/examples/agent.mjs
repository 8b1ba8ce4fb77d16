// An agent in Node: writes the file that the first line of its prompt asks for, "FILE: text", and tells what it cost.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const say = (event) => console.log(JSON.stringify(event))
const prompt = readFileSync(0, 'utf8')
const [, file, text] = /^(\S+): (.*)/.exec(prompt) ?? []

say({ type: 'progress', message: `reading a prompt of ${prompt.length} characters` })
if (file === undefined) {
  say({ type: 'outcome', status: 'failed', summary: 'the prompt names no file: write "FILE: text"' })
} else {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${text}\n`)
  say({ type: 'usage', inputTokens: prompt.length, outputTokens: text.length, costUsd: 0.001 })
  say({ type: 'outcome', status: 'success', summary: `wrote ${file}` })
}
