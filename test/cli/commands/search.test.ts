// The commands of a search: values are checked, and what is refused is said with exit status 2.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { espalierHere } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'
import { FILES, SMALLEST } from '../../rig/search.ts'

test('flags are checked; a dry run says what would be tried and writes nothing; show, best and compare refuse what is not there', async () => {
  await using repository = await makeRepository({
    files: { ...FILES, 'ideas/a.md': 'true\n', 'search.yaml': SMALLEST },
  })
  const say = (...words: string[]) => espalierHere(repository.top, words, { home: repository.path })
  for (const [flag, value] of [
    ['--max-parallel-evals', '0'],
    ['--max-parallel-per-node', 'x'],
    ['--parallel-backend', 'cloud'],
    ['--eval-retries', '-1'],
    ['--eval-timeout-seconds', '0'],
    ['--beam-width', '1.5'],
    ['--max-depth', '0'],
  ] as const) {
    const { status, err } = await say('search', 'run', 'search.yaml', flag, value)
    assert.equal(status, 2, flag)
    assert.match(err, new RegExp(flag))
  }
  const dry = await say('search', 'run', 'search.yaml', '--dry-run', '--beam-width', '2', '--max-depth', '3', '--json')
  assert.equal(dry.status, 0, dry.err)
  const { evals, most_evals } = JSON.parse(dry.out)
  assert.deepEqual(evals, [{ eval_id: 'root-1', parent_node_id: 'root', idea_path: 'ideas/a.md', depth: 1 }])
  assert.equal(most_evals, 5)
  for (const words of [['show'], ['status'], ['best'], ['compare', 'root', 'x']])
    assert.equal((await say('search', ...words)).status, 2)
  const missing = await say('search', 'run', join(repository.path, 'nowhere.yaml'))
  assert.equal(missing.status, 2)
  const checked = await say('search', 'check', 'search.yaml', '--json')
  assert.equal(JSON.parse(checked.out).ok, true)
})
