// The JSON lines of a command agent, as a person reads them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandWords } from '../../../src/agents/command/agent.ts'

/** The output comes in pieces of that many bytes. */
function shown(text: string, size: number): string {
  const words = new CommandWords()
  const data = Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0; at < data.length; at += size) parts.push(...words.push(data.subarray(at, at + size)))
  return Buffer.concat([...parts, ...words.end()]).toString('utf8')
}

const PROGRESS = '{"type":"progress","message":"half wäy"}'
const USAGE = '{"type":"usage","costUsd":0.02}'
const OUTCOME = '{"type":"outcome","status":"failed","summary":"no luck"}'

const table: [printed: string, shown: string][] = [
  [`a\n${PROGRESS}\n${USAGE}\nb\n${OUTCOME}\n`, 'a\nhalf wäy\nb\nno luck\n'],
  [`${PROGRESS}\r\n`, 'half wäy\n'],
  [OUTCOME, 'no luck\n'],
  ['{"type":"outcome"}\nx', 'x'],
  ['{"name":"x"}\n{\n  "a": 1\n}\n{', '{"name":"x"}\n{\n  "a": 1\n}\n{'],
  [` ${PROGRESS}\nsee ${USAGE}\n`, ` ${PROGRESS}\nsee ${USAGE}\n`],
  ['\n\n…\n', '\n\n…\n'],
]
for (const [printed, expected] of table)
  test(`${JSON.stringify(printed)} is read as ${JSON.stringify(expected)}, in whatever pieces it comes`, () => {
    for (const size of [1, 2, 7, 1_000]) assert.equal(shown(printed, size), expected)
  })

test('half a line is shown at once, unless it may become one of these', () => {
  const words = new CommandWords()
  assert.equal(String(words.push(Buffer.from('a\n10%'))), 'a\n10%')
  assert.equal(String(words.push(Buffer.from(' {\n{"type"'))), ' {\n')
  assert.equal(String(words.end()), '{"type"')
})

test('a line that is far too long is not kept for its end', () => {
  const words = new CommandWords()
  const long = Buffer.from(`{${'x'.repeat(2 << 20)}`)
  assert.equal(words.push(long)[0]?.length, long.length)
  assert.equal(String(words.push(Buffer.from('{"type":"usage"}\n'))), '{"type":"usage"}\n')
})
