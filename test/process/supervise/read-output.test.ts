import assert from 'node:assert/strict'
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  followOutput,
  lineSplitter,
  listChunks,
  outputPruner,
  readTail,
} from '../../../src/process/supervise/read-output.ts'
import { until } from '../../rig/until.ts'
import { outputSize, rig } from '../rig.ts'

test('chunks are named like those of split, in order', async (t) => {
  const { sh, dir } = rig(t)
  await sh('head -c 3000 /dev/zero | tr "\\0" x', { chunkBytes: 4 }).done // 750 chunks: past aaz, azz
  const chunks = listChunks(dir, 'output')
  assert.deepEqual([chunks.length, outputSize(dir).bytes], [750, 3000])
  const names = readdirSync(dir).filter((name) => name.startsWith('output.'))
  for (const [i, name] of names.sort().entries())
    assert.deepEqual([chunks[i]?.index, chunks[i]?.path], [i, join(dir, name)])
})

test('a follower gets everything in order while it is written, and ends with the command', async (t) => {
  const { sh, dir } = rig(t)
  const { done } = sh('i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i + 1)); done', { chunkBytes: 1000 })
  let expected = 0
  for await (const line of linesOf(followOutput(dir))) assert.equal(line, `line ${expected++}`)
  assert.equal(expected, 2000)
  await done
})

test('a follower that is told to end delivers what is there, also when more keeps coming', async (t) => {
  const { sh, dir, text } = rig(t)
  const supervised = sh('echo hello; exec sleep 1000')
  await until('output', () => text() === 'hello\n')
  assert.equal(await followed(dir, { signal: AbortSignal.abort() }), 'hello\n')
  await supervised.stop()

  const flood = rig(t)
  const flooding = flood.sh('yes')
  await until('a flood', () => outputSize(flood.dir).bytes > 4 << 20)
  const ending = new AbortController()
  for await (const _ of followOutput(flood.dir, { signal: ending.signal })) ending.abort()
  await flooding.stop()
})

test('pruning keeps the first and the newest chunks, and readers say what is missing', async (t) => {
  const { sh, dir } = rig(t)
  await sh('for c in a b c d e f g h; do printf "$c"000000000; done; printf end', { chunkBytes: 10 }).done
  outputPruner(dir, { maxBytes: 34 })()
  assert.deepEqual(
    listChunks(dir, 'output').map(({ index }) => index),
    [0, 6, 7, 8],
  )
  assert.deepEqual(outputSize(dir), { bytes: 83, keptBytes: 33 })
  const rest = 'g000000000h000000000end'
  assert.equal(await followed(dir), `a000000000\n… 0.1 kB of output removed …\n${rest}`)
  assert.equal(await readTail(dir, 5), '00end')
  assert.equal(await readTail(dir, 28), `00000\n… 0.1 kB of output removed …\n${rest}`)
  outputPruner(dir, { maxBytes: 0 })()
  assert.deepEqual(
    listChunks(dir, 'output').map(({ index }) => index),
    [0, 8],
  )
})

test('a follower survives chunks that are removed under it', async (t) => {
  const { dir } = rig(t)
  for (let i = 0; i < 6; i++) writeFileSync(join(dir, `output.aa${'abcdef'[i]}`), `${i}`.repeat(10))
  let seen = ''
  for await (const data of followOutput(dir)) {
    seen += data
    if (seen === '0'.repeat(10)) outputPruner(dir, { maxBytes: 20 })()
    if (seen.endsWith('5')) writeFileSync(join(dir, 'exit'), '')
  }
  assert.equal(seen, '0000000000\n… 0.0 kB of output removed …\n5555555555')
})

test('removed output is named in a readable size', async (t) => {
  const { dir } = rig(t)
  writeFileSync(join(dir, 'exit'), '')
  for (const [chunkBytes, size] of [
    [4_000_000, '12.0 MB'],
    [500, '1.5 kB'],
  ] as const) {
    writeFileSync(join(dir, 'output.aaa'), 'x'.repeat(chunkBytes))
    writeFileSync(join(dir, 'output.aae'), 'end')
    assert.equal(await followed(dir), `${'x'.repeat(chunkBytes)}\n… ${size} of output removed …\nend`)
  }
})

test('the tail is never cut inside a character', async (t) => {
  const { dir } = rig(t)
  assert.equal(await readTail(dir, 10), '')
  const first = join(dir, 'output.aaa')
  const bytes = Buffer.from('aé€😀')
  writeFileSync(first, bytes)
  const tails = ['', '', '', '', '😀', '😀', '😀', '€😀', '€😀', 'é€😀', 'aé€😀', 'aé€😀']
  for (const [length, tail] of tails.entries()) assert.equal(await readTail(dir, length), tail)
  appendFileSync(first, bytes.subarray(1, 2)) // half a character, the rest is still to come
  assert.equal(await readTail(dir, 100), 'aé€😀')
})

test('20 MB without a line break make one bounded line', async (t) => {
  const { sh, dir } = rig(t)
  const { done } = sh('head -c 20000000 /dev/zero | tr "\\0" x; echo; echo next', { maxBytes: 64 << 20 })
  const lines: string[] = []
  for await (const line of linesOf(followOutput(dir))) lines.push(line)
  await done
  assert.equal(lines.length, 2)
  assert.ok((lines[0]?.length ?? 0) < (1 << 20) + 100)
  assert.match(lines[0]?.slice(-20) ?? '', /line cut/)
  assert.equal(lines[1], 'next')
})

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void, void> {
  const splitter = lineSplitter()
  for await (const chunk of chunks) yield* splitter.push(chunk)
  yield* splitter.end()
}

async function followed(dir: string, options: Parameters<typeof followOutput>[1] = {}): Promise<string> {
  const parts: Buffer[] = []
  for await (const data of followOutput(dir, options)) parts.push(data)
  return Buffer.concat(parts).toString()
}
