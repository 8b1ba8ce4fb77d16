// The hooks that Claude Code gets, run as it runs them: by the shell, with JSON on standard input.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { HookFiles } from '../../../src/agents/agent.ts'
import { claudeAgent } from '../../../src/agents/claude/agent.ts'
import { type Folder, temporaryFolder } from '../../rig/repository.ts'

type Event = 'PreToolUse' | 'PostToolUse' | 'SessionEnd'

const MAY = { enforce: true, write: ['src/**', 'package.json'] }

/** In a folder whose name the shell could stumble over. */
async function filesIn(folder: Folder, mayWrite: string | null = 'may-write.json'): Promise<HookFiles> {
  const at = (name: string) => folder.at(`it's "a" $(folder)/${name}`)
  await mkdir(at('w/src'), { recursive: true })
  return {
    settings: at('hooks.json'),
    mayWrite: mayWrite && at(mayWrite),
    worktree: at('w'),
    heartbeat: at('heartbeat'),
    sessionEnd: at('session-end.json'),
  }
}

/** The settings file that Claude Code gets. */
function settingsOf(hooks: HookFiles): string {
  const names = { promptFile: 'p', newSession: 'n', resume: null, model: null, mayWrite: null }
  return claudeAgent().invoke({ ...names, hooks }).files?.[0]?.text ?? ''
}

function run(files: HookFiles, event: Event, input: string): { out: string; err: string; status: number | null } {
  const [
    {
      hooks: [{ command }],
    },
  ] = JSON.parse(settingsOf(files)).hooks[event]
  const { stdout, stderr, status } = spawnSync('sh', ['-c', command], { cwd: files.worktree, input, encoding: 'utf8' })
  return { out: stdout, err: stderr, status }
}

const writes = (file_path: string) => JSON.stringify({ tool_name: 'Write', tool_input: { file_path, content: 'x' } })

test('a write outside the claims is denied, in words that help', async () => {
  await using folder = await temporaryFolder()
  const files = await filesIn(folder)
  await writeFile(files.mayWrite ?? '', JSON.stringify(MAY))
  const { out, err, status } = run(files, 'PreToolUse', writes(`${files.worktree}/docs/a.md`))
  assert.deepEqual([err, status], ['', 0])
  const { hookSpecificOutput: answer } = JSON.parse(out)
  assert.deepEqual([answer.hookEventName, answer.permissionDecision], ['PreToolUse', 'deny'])
  assert.match(answer.permissionDecisionReason, /^docs\/a\.md is outside the claims .* src\/\*\*, package\.json\./)
  assert.match(answer.permissionDecisionReason, /`request_claim`/)
  const notebook = JSON.stringify({ tool_name: 'NotebookEdit', tool_input: { notebook_path: 'a.ipynb' } })
  assert.match(run(files, 'PreToolUse', notebook).out, /"deny"/)
  for (const path of ['src/a.ts', `${files.worktree}/package.json`])
    assert.equal(run(files, 'PreToolUse', writes(path)).out, '', path)
})

test('what is granted while it runs counts at once', async () => {
  await using folder = await temporaryFolder()
  const files = await filesIn(folder)
  const denied = () => run(files, 'PreToolUse', writes('docs/a.md')).out !== ''
  await writeFile(files.mayWrite ?? '', JSON.stringify(MAY))
  assert.equal(denied(), true)
  await writeFile(files.mayWrite ?? '', JSON.stringify({ ...MAY, write: [...MAY.write, 'docs/**'] }))
  assert.equal(denied(), false)
})

test('where it cannot tell it allows, and says nothing', async () => {
  await using folder = await temporaryFolder()
  const files = await filesIn(folder)
  const quiet = { out: '', err: '', status: 0 }
  assert.deepEqual(run(files, 'PreToolUse', writes('docs/a.md')), quiet, 'no file')
  for (const text of ['', '{', '[]', 'null', '{"enforce":true}', '{"enforce":false,"write":[]}']) {
    await writeFile(files.mayWrite ?? '', text)
    assert.deepEqual(run(files, 'PreToolUse', writes('docs/a.md')), quiet, text)
  }
  await writeFile(files.mayWrite ?? '', JSON.stringify(MAY))
  for (const input of ['', '{', 'null', '{}', '{"tool_input":null}', '{"tool_input":{"file_path":7}}'])
    assert.deepEqual(run(files, 'PreToolUse', input), quiet, input)
})

test('nobody is asked where nobody insists on claims', async () => {
  await using folder = await temporaryFolder()
  const { hooks } = JSON.parse(settingsOf(await filesIn(folder, null)))
  assert.deepEqual(Object.keys(hooks), ['PostToolUse', 'SessionEnd'])
})

test('after a tool there is a heartbeat, at the end what the program said of it', async () => {
  await using folder = await temporaryFolder()
  const files = await filesIn(folder)
  // Longer than a pipe holds, and nobody reads it.
  run(files, 'PostToolUse', JSON.stringify({ tool_response: 'x'.repeat(300_000) }))
  assert.ok(existsSync(files.heartbeat))
  const end = { session_id: 's', transcript_path: '/t.jsonl', reason: 'other' }
  run(files, 'SessionEnd', JSON.stringify(end))
  assert.deepEqual(JSON.parse(await readFile(files.sessionEnd, 'utf8')), end)
})

test('the file is handed over, unless the user hands over one', async () => {
  await using folder = await temporaryFolder()
  const hooks = await filesIn(folder)
  const assignment = { promptFile: '', model: null, newSession: 's', resume: null, mayWrite: null, hooks }
  const { argv, files } = claudeAgent().invoke(assignment)
  assert.equal(argv[argv.indexOf('--settings') + 1], hooks.settings)
  assert.deepEqual(
    files?.map(({ path }) => path),
    [hooks.settings],
  )
  for (const own of [['--settings', 'mine.json'], ['--settings=mine.json']]) {
    const mine = claudeAgent('claude', own).invoke(assignment)
    assert.deepEqual([mine.argv.slice(-own.length), mine.files], [own, []])
    assert.ok(!mine.argv.includes(hooks.settings))
  }
})

test('a denial is no failure by itself', () => {
  const reader = claudeAgent().reader()
  const denial = (name: string, path: string) => ({ tool_name: name, tool_input: { file_path: path } })
  const denials = [denial('Write', '/w/docs/a.md'), denial('Edit', '/w/docs/a.md')]
  const result = { type: 'result', subtype: 'success', is_error: false, result: 'Done.', permission_denials: denials }
  reader.line(JSON.stringify(result))
  const { failure, denied } = reader.result({ code: 0, signal: null })
  assert.equal(failure, null)
  const message = 'it was not allowed to use Write, Edit (2 times): /w/docs/a.md'
  assert.deepEqual(denied, { reason: 'refused', message })
})
