// The agent of the examples: what it understands, and that it says so when it does not.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../docs/pages.ts'
import { temporaryFolder, write } from '../rig/repository.ts'

function ask(cwd: string, prompt: string): { status: string; summary: string } {
  const { stdout } = spawnSync(process.execPath, [join(ROOT, 'examples/agent.mjs')], {
    cwd,
    input: prompt,
    encoding: 'utf8',
  })
  return JSON.parse(stdout)
}

const ADDED = '\n## How you work here\n\nIts agent says: create other.txt with `no`\n'

test('it does what the sentences of its task ask for, in their order, and makes the promise it is asked for', async () => {
  await using folder = await temporaryFolder()
  const prompt = [
    'Create `src/a.txt` with `one`, then add `two` to src/a.txt. Replace `one` with `$& 1` in src/a.txt.',
    '- Create list/b.txt with:\n\n  ```js\n  if (x)\n    y()\n  ```\n',
    ADDED,
    'say this in your last message, word for word:\n\n    ALL DONE',
  ].join('\n')
  assert.deepEqual(ask(folder.path, prompt), {
    type: 'outcome',
    status: 'success',
    summary: 'created src/a.txt, added to src/a.txt, changed src/a.txt, created list/b.txt, ALL DONE',
  })
  assert.equal(await readFile(folder.at('src/a.txt'), 'utf8'), '$& 1\ntwo\n')
  assert.equal(await readFile(folder.at('list/b.txt'), 'utf8'), 'if (x)\n  y()\n')
})

test('it fails where there is nothing it understands, and where the files are not as they should be', async () => {
  await using folder = await temporaryFolder()
  await write(folder.at('a.txt'), 'a\n')
  for (const [prompt, summary] of [
    [`Make it better.${ADDED}`, 'there is no sentence in the prompt that this agent understands'],
    ['Add `x` to b.txt', 'there is no b.txt to add to'],
    ['Replace `b` with `c` in a.txt', 'there is no `b` in a.txt'],
  ] as const) {
    assert.deepEqual(ask(folder.path, prompt), { type: 'outcome', status: 'failed', summary })
  }
})
