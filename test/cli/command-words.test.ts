// A command agent that tells of its work in JSON lines, and what people are shown of that afterwards.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalierHere as espalier } from '../rig/espalier.ts'
import { makeRepository } from '../rig/repository.ts'

const PLAN = 'name: shop\ndefaults: {retries: 0}\ntasks: [{id: a, prompt: x}]\n'
const AGENT = `cat > /dev/null; echo '{"type":"progress","message":"half way"}'; echo red; echo '{"type":"usage","costUsd":0.02}'; exit 1`

test('logs and the report have its words', async () => {
  await using repository = await makeRepository({ files: { 'plan.yaml': PLAN } })
  const made = await espalier(repository.top, ['run', 'plan.yaml', '--command', AGENT])
  assert.equal(made.status, 1, made.err)
  for (const flags of [[], ['--transcript'], ['--follow']]) {
    const { out } = await espalier(repository.top, ['logs', 'a', ...flags])
    assert.ok(out.startsWith('half way\nred\n') && !out.includes('usage'), out)
  }
  const report = await espalier(repository.top, ['report'])
  assert.match(report.out, /#### End of its log\n\n```\w*\nhalf way\nred\n```/)
})
