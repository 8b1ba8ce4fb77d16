// The curl examples of docs/server.md, run as they stand there, against a real server.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { makeRepository } from '../rig/repository.ts'
import { until } from '../rig/until.ts'
import { ServerRig } from '../server/server-rig.ts'

const text = readFileSync(new URL('../../docs/server.md', import.meta.url), 'utf8')

test('every curl example answers as it should', async () => {
  const [, block = ''] = /## With curl\n\n```sh\n([\s\S]*?)```/.exec(text) ?? []
  const lines = block.split('\n').filter((line) => line.startsWith('curl '))
  assert.ok(lines.length >= 9)
  const plan = "name: shop\ntasks: [{id: api, run: 'echo hello; echo x > x.txt'}]\n"
  await using repository = await makeRepository({ files: { 'espalier.yaml': plan } })
  await using rig = await ServerRig.open({ repository, repos: [] })
  await rig.client.projects.add({ repo: repository.top, id: 'shop' })
  mkdirSync(rig.home.at('.config', 'espalier', 'server'), { recursive: true })
  writeFileSync(rig.home.at('.config', 'espalier', 'server', 'token'), rig.token)
  const head = block.split('\n').slice(0, 2).join('\n').replace('http://127.0.0.1:4713', rig.url)
  for (const line of lines) {
    if (line.includes('/runs/shop-1'))
      await until('the end of the run', async () => {
        const { items } = await rig.client.runs.list({ project: 'shop' })
        return items[0]?.status === 'completed' && items[0].engine === null
      })
    const env = { ...process.env, HOME: rig.home.path }
    const { stdout } = await promisify(execFile)(
      'sh',
      ['-ec', `${head}\n${line.replace('curl -s', 'curl -sS --fail-with-body')}`],
      { env },
    )
    assert.ok(stdout.length > 0, line)
  }
})
