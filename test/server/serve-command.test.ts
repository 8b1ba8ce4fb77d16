// `espalier serve`, `tokens` and `projects` as a person types them.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { connect } from '../../src/server/client/connect.ts'
import { espalierHere, startEspalier } from '../rig/espalier.ts'
import { makeRepository } from '../rig/repository.ts'
import { until } from '../rig/until.ts'

test('serve says where it is, is killed and comes back with the same token; its run goes on meanwhile', async () => {
  const plan = "name: slow\ntasks: [{id: wait, run: 'sleep 600'}]\n"
  await using repository = await makeRepository({ files: { 'espalier.yaml': plan } })
  const serve = async () => {
    const child = startEspalier(repository.top, ['serve', '--json', '--port', '0'])
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    const { url, tokenFile } = JSON.parse(String(line)) as { url: string; tokenFile: string }
    return { child, tokenFile, client: connect({ url, token: readFileSync(tokenFile, 'utf8').trim() }) }
  }
  const first = await serve()
  const { run, pid } = await first.client.runs.start({ project: 'repo' })
  const at = { project: 'repo', run }
  await until('the task', async () => (await first.client.runs.get(at)).counts.running === 1)
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const second = await serve()
  assert.equal(second.tokenFile, first.tokenFile)
  const view = await second.client.runs.get(at)
  assert.deepEqual([view.engine, view.counts.running], [{ pid }, 1])
  await second.client.runs.cancel(at)
  await until('its end', async () => (await second.client.runs.get(at)).engine === null)
  second.child.kill('SIGTERM')
  const [code] = await once(second.child, 'exit')
  assert.equal(code, 0)
})

test('tokens and projects: made, listed and gone, and what is wrong is said', async () => {
  await using repository = await makeRepository()
  const call = (...args: string[]) => espalierHere(repository.top, args)
  assert.match((await call('tokens')).err, /no tokens yet/)
  const made = await call('tokens', 'create', 'ci', '--scope', 'run', '--expires', '12h')
  assert.match(made.out, /^esp_[0-9a-f]{8}_[\w-]{43}\n$/)
  const [listed] = JSON.parse((await call('tokens', 'list', '--json')).out).tokens
  assert.deepEqual([listed.name, listed.scope, 'hash' in listed], ['ci', 'run', false])
  assert.match((await call('tokens', 'revoke', 'ci')).out, /^revoked [0-9a-f]{8} \(ci\)\n$/)
  assert.equal((await call('tokens', 'revoke', 'ci')).status, 2)
  assert.equal((await call('projects', 'add', '--id', 'shop')).out, `shop  ${repository.top}\n`)
  assert.match((await call('projects', 'add', '--id', 'other')).err, /in the list already, as shop/)
  assert.equal((await call('projects')).out, `shop  ${repository.top}\n`)
  assert.match((await call('projects', 'remove', 'shop')).out, /^removed shop/)
  assert.equal((await call('projects', 'remove', 'shop')).status, 2)
  assert.match((await call('serve', '--url', 'espalier.example')).err, /--url has to be an address/)
})
