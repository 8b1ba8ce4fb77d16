// A plan file that says more than the branch has: what a person sees of it.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

const BOXES = '# Tasks: Tea\n\n## Phase 1: Setup\n\n- [ ] T001 Put the kettle on in kettle.txt\n'
const AGENT = ['--command', 'cat >/dev/null; echo x > "$ESPALIER_TASK.txt"']

test('work that was not landed is told of by plan check, by a run with nothing left, and stops a run with more', async () => {
  await using repository = await makeRepository({ files: { 'tasks.md': BOXES } })
  const say = async (...args: string[]) => {
    const { status, err } = await espalier(repository.top, args)
    return { status, err, lines: err.trimEnd().split('\n') }
  }
  const file = repository.at('repo', 'tasks.md')
  assert.equal((await say('run', 'tasks.md', ...AGENT)).status, 0)
  const done = readFileSync(file, 'utf8')
  assert.match(done, /- \[x\] T001/)

  const where = 'its work is not in HEAD: it is on espalier/tea-1, which was not landed'
  const land = '`espalier land tea-1` brings it onto your branch'
  const hint = `\`T001\` is done by the plan file, but ${where}. ${land}`
  const ways = ['`--base espalier/tea-1` starts the new run from there', '`--base HEAD` starts it without that work']
  const choice = `${[`\`T001\` is done by the plan file, but ${where}`, land, ...ways].join('\n  ')}\n`
  const { err: _, ...over } = await say('run', 'tasks.md', ...AGENT)
  assert.deepEqual(over, {
    status: 0,
    lines: [
      "read as spec-kit's tasks.md: 0 tasks to do, 1 done already",
      'Nothing left to do',
      `${file}: warning: ${hint}`,
    ],
  })

  writeFileSync(file, `${done}- [ ] T002 Pour it into cup.txt\n`)
  const refused = await say('run', 'tasks.md', ...AGENT)
  assert.equal(refused.status, 2)
  assert.ok(refused.err.includes(`${file}: ${choice}`), refused.err)
  const checked = await say('plan', 'check', 'tasks.md')
  assert.equal(checked.status, 0)
  assert.ok(checked.err.includes(`${file}: warning: ${choice}`), checked.err)

  const dry = await say('run', 'tasks.md', '--dry-run', ...AGENT)
  assert.equal(dry.status, 0)
  assert.ok(dry.err.includes(`${file}: warning: ${choice}`), dry.err)
  const without = await say('run', 'tasks.md', '--base', 'HEAD', ...AGENT)
  assert.deepEqual([without.status, without.lines[1]], [0, `${file}: warning: ${hint}`])
})
