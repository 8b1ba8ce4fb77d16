// The web app is served as files that need no token, under a policy that lets them load nothing else.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { temporaryFolder } from '../rig/repository.ts'
import { reasonOf, ServerRig } from './server-rig.ts'

test('the files of the app are served without a token, and nothing else of its folder', async () => {
  await using folder = await temporaryFolder()
  mkdirSync(folder.at('app', 'assets'), { recursive: true })
  writeFileSync(folder.at('app', 'index.html'), '<!doctype html><title>app</title>')
  writeFileSync(folder.at('app', 'icon.svg'), '<svg/>')
  writeFileSync(folder.at('app', 'assets', 'main-1.js'), 'export {}')
  writeFileSync(folder.at('app', 'sources.json'), '{}')
  writeFileSync(folder.at('secret.txt'), 'secret')
  await using rig = await ServerRig.open({ app: () => folder.at('app') })
  const page = await rig.ask('GET', '/', { token: null })
  assert.equal(page.body, '<!doctype html><title>app</title>')
  assert.match(String(page.headers['content-type']), /^text\/html/)
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'/)
  assert.doesNotMatch(policy, /unsafe|\*/)
  const script = await rig.ask('GET', '/assets/main-1.js', { token: null })
  assert.deepEqual([script.status, script.headers['content-type']], [200, 'text/javascript; charset=utf-8'])
  assert.match(String(script.headers['cache-control']), /immutable/)
  for (const path of ['/sources.json', '/assets/none.js', '/assets/..%2fsources.json', '/assets/%2e%2e/index.html'])
    assert.notEqual((await rig.ask('GET', path, { token: null })).status, 200, path)
  assert.equal(reasonOf(await rig.ask('GET', '/assets/none.js')), 'not-found')
  const foreign = await rig.ask('GET', '/', { token: null, headers: { host: `evil.example:${rig.port}` } })
  assert.equal(reasonOf(foreign), 'host-not-allowed')
  // A page is many files: they are not counted as attempts to log in.
  for (let n = 0; n < 60; n++) assert.equal((await rig.ask('GET', '/assets/main-1.js', { token: null })).status, 200)
})

test('an app that is not built yet says how it is built, and is served once it is', async () => {
  await using folder = await temporaryFolder()
  await using rig = await ServerRig.open({ app: () => folder.path })
  assert.match((await rig.ask('GET', '/', { token: null })).body, /espalier ui/)
  writeFileSync(folder.at('index.html'), 'built')
  writeFileSync(folder.at('icon.svg'), '<svg/>')
  assert.equal((await rig.ask('GET', '/', { token: null })).body, 'built')
})
