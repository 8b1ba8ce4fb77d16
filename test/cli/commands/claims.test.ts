// Claims as a person meets them: before a run, while it lands, after it, and before the next.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

const TASKS = `
tasks:
  - id: api
    claims: [api/routes/**]
    run: mkdir -p api/routes; echo 1 > api/routes/users.js; echo 2 > package.json
  - id: web
    run: mkdir -p web/ui; echo 1 > web/ui/a.css; echo 2 > web/ui/b.css
`

test('what was changed without a claim is told by run, status and report, and offered by `plan show`', async () => {
  await using repository = await makeRepository()
  writeFileSync(join(repository.top, 'shop.yaml'), `name: shop\n${TASKS}`)
  const run = (...args: string[]) => espalier(repository.top, args)
  const before = await run('plan', 'show', 'shop.yaml')
  assert.ok(!before.out.includes('Suggested claims'), before.out)

  const first = await run('run', 'shop.yaml')
  assert.equal(first.status, 0, first.out + first.err)
  assert.match(first.out, /api done .*; changed outside its claims: package\.json/)
  assert.match(first.out, /! api changed files without a claim: package\.json\n.*`espalier plan show shop\.yaml`/)
  assert.match((await run('status')).out, /! api changed files .*: package\.json\n.*`espalier plan show shop\.yaml`/)
  assert.match((await run('report')).out, /## Changed without a claim\n\n- `api`: `package\.json`\n/)

  const after = await run('plan', 'show', 'shop.yaml')
  assert.match(
    after.out,
    /Suggested claims.*\n {2}api, which changed .* in shop-1: claims: \[api\/routes\/\*\*, package\.json\]\n/,
  )
  assert.match(after.out, /\n {2}web, which changed .* in shop-1: claims: \[web\/ui\/\*\*\]\n/)
  const { learnedClaims } = JSON.parse((await run('plan', 'show', 'shop.yaml', '--json')).out)
  assert.deepEqual(learnedClaims[1].claims, { write: ['web/ui/**'], read: [] })
})

test('for a plan file that calls its tasks done, no claims are offered that nobody could find there', async () => {
  const subtask = { id: 'api', description: 'x', status: 'pending', files_to_modify: ['src/api.ts'] }
  const file = JSON.stringify({ feature: 'shop', phases: [{ phase: 1, subtasks: [subtask] }] })
  await using repository = await makeRepository({ files: { 'plan.json': file } })
  const run = (...args: string[]) => espalier(repository.top, args)
  const first = await run('run', 'plan.json', '--command', 'echo 1 > new.txt')
  assert.equal(first.status, 0, first.out + first.err)
  for (const { out } of [first, await run('status')]) {
    assert.match(out, /! api changed files without a claim: new\.txt\n/)
    assert.doesNotMatch(out, /offers claims/)
  }
})

test('`claims: enforce` at the top of a plan refuses it, and `defaults` still hold claims', async () => {
  await using repository = await makeRepository()
  writeFileSync(join(repository.top, 'strict.yaml'), `claims: enforce\ndefaults: {retries: 0}\n${TASKS}`)
  const run = (...args: string[]) => espalier(repository.top, args)
  const refused = await run('run', 'strict.yaml')
  assert.equal(refused.status, 1, refused.out + refused.err)
  assert.match(refused.out, /✗ api: claims-violated: it changed a path outside its claims: package\.json/)
  assert.match(refused.out, /✓ landed: web/)
  const overruled = await espalier(repository.top, ['config', 'strict.yaml'])
  assert.match(overruled.out, /claims +enforce +strict\.yaml/)
})
