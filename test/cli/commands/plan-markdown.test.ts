// Plans in Markdown on the command line: a part of a batch plan is run, and folders are plans.
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'
import { sampleFolder } from '../../workloads/formats/sample.ts'

const BATCHES = `# Notes

## Batch 1: First

### Task 1.1: Done before
**Status:** Done

## Batch 2: Second

**Dependencies:** Batch 1

### Task 2.1: Write
**Files:**
- Create: task-2-1.txt

**Verification:**
- test -f task-2-1.txt
- It reads well.

### Task 2.2: Verified and wrong
**Verification:**
- test -f nobody-writes-this.txt

### Task 2.3: Elsewhere
**Files:**
- Modify: /etc/hosts

## Batch 3: Third

### Task 3.1: Too early
`

test('the batches that were asked for are run, as far as they can be', async () => {
  await using repository = await makeRepository({ files: { 'plan.md': BATCHES } })
  const run = (...args: string[]) => espalier(repository.top, args)

  const checked = await run('plan', 'check', 'plan.md', '--part', '2')
  assert.equal(checked.status, 0, checked.err)
  assert.match(checked.out, /^read as batch plan in Markdown: 3 tasks to do, 1 done already/)
  assert.match(checked.err, /plan\.md:24:1: warning: task `2\.3` will fail: \/etc\/hosts is outside of the repository/)
  const none = await run('run', 'plan.md', '--part', '4-5')
  assert.deepEqual(
    [none.status, none.err],
    [
      2,
      'plan.md:1:1: `4-5` names none of its batches (`all`, `2`, `1-3` or `1,3-4`): this plan has the batches `1`, `2`, `3`\n',
    ],
  )

  const ran = await run('run', 'plan.md', '--part', '2', '--command', 'cat > "$ESPALIER_TASK.txt"', '--retries', '0')
  assert.equal(ran.status, 1, ran.err)
  const { tasks } = JSON.parse((await run('status', '--json')).out)
  assert.deepEqual(
    tasks.map(({ id, status, failure }: { id: string; status: string; failure?: { reason: string } }) => {
      return [id, status, failure?.reason ?? '']
    }),
    [
      ['task-2-1', 'landed', ''],
      ['task-2-2', 'failed', 'verify-failed'],
      ['task-2-3', 'failed', 'outside-repository'],
    ],
  )
})

test('folders of files that are a task or a plan each', async () => {
  const folders = { 'gsd-phase': '.planning/phases/02-search', 'ccpm-epic': '.claude/epics/share-by-link' }
  const files = Object.entries(folders).flatMap(([name, folder]) =>
    sampleFolder(name).map(({ file, text }) => [file.replace(name, folder), text] as const),
  )
  await using repository = await makeRepository({ files: Object.fromEntries(files) })
  const check = async (folder: string) => (await espalier(repository.top, ['plan', 'check', folder])).out.split('\n')
  const gsd = await check(folders['gsd-phase'])
  assert.equal(gsd[0], "read as GSD's *-PLAN.md: 5 tasks to do, 1 done already, 1 left out (02-03-2)")
  assert.equal(gsd.at(-2), 'Plan OK: 5 tasks in 3 epics')
  const ccpm = await check(folders['ccpm-epic'])
  assert.equal(ccpm[0], "read as ccpm's task files: 4 tasks to do, 1 done already")
  assert.equal(ccpm.at(-2), 'Plan OK: 4 tasks')
})

test('plan check names a command that is not run, with the setting that runs it', async () => {
  const plan = '## Batch 1: A\n### Task 1.1: B\n**Verification:**\n- pytest tests\n- `psql -f a.sql`\n'
  await using repository = await makeRepository({ files: { 'plan.md': plan } })
  const check = async () => (await espalier(repository.top, ['plan', 'check', 'plan.md'])).out
  const verify = async () =>
    JSON.parse((await espalier(repository.top, ['plan', 'convert', 'plan.md', '--json'])).out).tasks[0].verify
  const line = /plan\.md:5:1 {2}`psql -f a\.sql` is told .*; `(checks: .*)` in \.espalier\/config\.yaml runs it$/m.exec(
    await check(),
  )?.[1]
  assert.equal(line, 'checks: ["psql -f a.sql"]')
  assert.deepEqual(await verify(), ['pytest tests'])
  await mkdir(join(repository.top, '.espalier'))
  await writeFile(join(repository.top, '.espalier', 'config.yaml'), `${line}\n`)
  assert.doesNotMatch(await check(), /psql/)
  assert.deepEqual(await verify(), ['pytest tests', 'psql -f a.sql'])
})
