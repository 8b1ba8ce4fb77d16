// The real Claude Code with the hooks of an attempt: what it is denied, the signs of life, and the note of its session.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSessionNotes } from '../../src/engine/query/agent-sessions.ts'
import { Rig } from '../rig/rig.ts'
import { workspaceAt } from '../rig/workspace-at.ts'
import { agentTask, cliSetup } from './cli-rig.ts'
import { ModelServer, type Step } from './model-server.ts'

const CLAIMS = { write: ['src/**'], read: [] }

/** Tries to write `docs.md` first, and then does its work in `src`. */
function script(rig: Rig): Step[] {
  const worktree = join(rig.state, 'slots', '1')
  return [
    { do: 'write', path: join(worktree, 'docs.md'), text: 'not claimed\n' },
    { do: 'write', path: join(worktree, 'src', 'a.ts'), text: 'export {}\n' },
    { do: 'say', text: 'I wrote src/a.ts.' },
  ]
}

test('a write outside the claims is denied while it works, it writes inside instead, and that lands', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open({ hooked: script(rig) })
  const home = join(rig.repository.path, 'home')
  const { settings, environment } = cliSetup({ home, url: server.url })
  // A hook of the user's own stays in force.
  const mine = join(rig.repository.path, 'mine')
  const hook = { matcher: '*', hooks: [{ type: 'command', command: `echo used >> '${mine}'` }] }
  mkdirSync(join(home, 'claude'), { recursive: true })
  writeFileSync(join(home, 'claude', 'settings.json'), JSON.stringify({ hooks: { PostToolUse: [hook] } }))
  const task = agentTask('hooked', 'claude', { claims: CLAIMS })
  const { outcome, ...run } = await rig.run([task], { ...settings, claims: 'enforce' }, environment)
  assert.equal(outcome.status, 'completed', JSON.stringify(outcome.failures))
  assert.deepEqual(rig.landings(outcome), ['hooked/1'])
  assert.equal(rig.landedFile(outcome, 'src/a.ts'), 'export {}')
  assert.equal(rig.landedFile(outcome, 'docs.md'), null)
  assert.equal(readFileSync(mine, 'utf8'), 'used\n')

  const work = join(rig.state, 'runs', run.run.id, 'hooked', '1', 'work')
  assert.match(readFileSync(join(work, 'output.aaa'), 'utf8'), /docs\.md is outside the claims of this task/)
  assert.ok(existsSync(join(work, 'heartbeat')))
  const notes = await readSessionNotes(await workspaceAt(rig.top))
  assert.ok(notes.ok)
  const [note] = notes.value
  assert.ok(note?.session && note.ownTranscript)
  assert.match(note.ownTranscript, new RegExp(`${note.session}\\.jsonl$`))
  assert.ok(existsSync(note.ownTranscript), note.ownTranscript)
  assert.deepEqual([note.endReason, note.changed?.paths], ['other', ['src/a.ts']])
})

test('where the user forbids hooks nothing breaks: the check after the attempt decides', async () => {
  await using rig = await Rig.open()
  await using server = await ModelServer.open({ hooked: script(rig) })
  const home = join(rig.repository.path, 'home')
  const { settings, environment } = cliSetup({ home, url: server.url })
  mkdirSync(join(home, 'claude'), { recursive: true })
  writeFileSync(join(home, 'claude', 'settings.json'), JSON.stringify({ disableAllHooks: true }))
  const task = agentTask('hooked', 'claude', { claims: CLAIMS })
  const { outcome, ...run } = await rig.run([task], { ...settings, claims: 'enforce' }, environment)
  assert.equal(outcome.failures[0]?.failure.reason, 'claims-violated')
  assert.deepEqual(outcome.failures[0]?.failure.paths, ['docs.md'])
  const notes = await readSessionNotes(await workspaceAt(rig.top), { run: run.run.id })
  assert.ok(notes.ok)
  const [note] = notes.value
  assert.ok(note?.session)
  assert.deepEqual([note.ownTranscript, note.transcript.length > 0], [null, true])
})
