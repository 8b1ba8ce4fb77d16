// `espalier sessions`, `logs --transcript` and `trace`, as a person types them.
import assert from 'node:assert/strict'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

const RECORDED = fileURLToPath(new URL('../../agents/transcripts/claude-success.jsonl', import.meta.url))

const PLAN = `
name: shop
objective: Ship the checkout
epics: [{id: api, decision: ADR-3}]
tasks:
  - {id: schema, title: add tables, prompt: Write hello.txt., agent: claude, epic: api}
  - {id: plain, run: echo done}
`

test('who worked, what they did, what it cost and where a commit comes from', async () => {
  await using repository = await makeRepository()
  const [file, bin] = [repository.at('plan.yaml'), repository.at('bin')]
  await writeFile(file, PLAN)
  await mkdir(bin)
  await writeFile(`${bin}/claude`, `#!/bin/sh\necho hello > hello.txt\ncat '${RECORDED}'\n`)
  await chmod(`${bin}/claude`, 0o755)
  const said = (...args: string[]) => espalier(repository.top, args, { path: `${bin}:${process.env.PATH}` })
  const run = await said('run', file)
  assert.equal(run.status, 0, run.out + run.err)
  assert.match(run.out, /^ {2}cost: 8,856 tokens in \(50% cached\), 39 out, \$0\.0152$/m)

  const sessions = await said('sessions')
  assert.match(sessions.out, /^schema\/1 {2}claude {2}claude-sonnet-4-5 {2}changed .* \$0\.0152\n$/m)
  const listed = JSON.parse((await said('sessions', '--run', 'shop-1', '--task', 'schema', '--json')).out)
  assert.equal(listed.version, 1)
  const [only, ...more] = listed.sessions
  assert.deepEqual([only.task, only.usage.cacheReadTokens, only.transcript.length, more], ['schema', 4428, 1, []])
  const none = await said('sessions', '--task', 'plain')
  assert.deepEqual([none.status, none.out, none.err], [0, '', 'no sessions in plain of run shop-1\n'])
  assert.equal((await said('sessions', '--task', 'nobody')).status, 2)

  const notes = await said('sessions', '--notes')
  assert.match(notes.out, /^### schema\/1 add tables\n\nI wrote hello\.txt\.\n\n- Agent: claude claude-sonnet-4-5\n/)
  assert.match(notes.out, /^- Changed: `hello\.txt` .*\n- Commit: `[0-9a-f]{8}`\n- Decisions: ADR-3$/m)
  const [note] = JSON.parse((await said('sessions', '--notes', '--json')).out).notes
  assert.deepEqual([note.task, note.summary, note.session], ['schema', 'I wrote hello.txt.', only.session])
  assert.match((await said('sessions', '--notes', '--task', 'plain')).err, /^no sessions in plain of run shop-1\n/)

  const transcript = await said('logs', 'schema', '--transcript')
  assert.match(transcript.out, /✓ Bash cat hello\.txt → hello\n\nI wrote hello\.txt\.\n\n── changed, 3 turns/)
  assert.match((await said('logs', 'plain', '--transcript', '--follow')).out, /^done\n/)

  const task = await said('trace', 'schema')
  const [, landed = ''] = /^landed +as ([0-9a-f]{8})$/m.exec(task.out) ?? []
  assert.match(task.out, /^objective +Ship the checkout\nrun +shop-1, .*\nepic +api \(decided by ADR-3\)\n/)
  const commit = await said('trace', landed)
  assert.match(commit.out, new RegExp(`^commit +${landed} Land schema: add tables <[^>]+> \\(a landing\\)\n`))
  assert.match(commit.out, new RegExp(`commit +${landed} .*← this one\n$`))
  assert.equal(JSON.parse((await said('trace', landed, '--json')).out).tasks[0].task, 'schema')
  const unknown = await said('trace', 'main')
  assert.equal(unknown.status, 2)
  assert.match(unknown.err, /comes from no run/)
})
