// `espalier resolve`, as a person types it.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

/** Both start from the same commit: whichever is second conflicts. */
const PLAN = `
name: shop
landing: { conflict: manual }
tasks:
  - { id: one, run: "echo one > src/a.txt" }
  - { id: two, run: "echo two > src/a.txt" }
`

test('a conflict waits, is shown, resolved in its worktree and handed back from there', async () => {
  await using repository = await makeRepository()
  const file = repository.at('plan.yaml')
  await writeFile(file, PLAN)
  const said = (...args: string[]) => espalier(repository.top, args)
  const run = await said('run', file)
  assert.equal(run.status, 3, run.out + run.err)
  const [, task = ''] = /espalier resolve (one|two) --run shop-1/.exec(run.out) ?? []
  const other = task === 'one' ? 'two' : 'one'
  assert.match(
    run.out,
    new RegExp(`! ${task} did not land[\\s\\S]*run shop-1 waits for you[\\s\\S]*next {2}espalier resolve ${task}`),
  )
  const status = await said('status')
  assert.match(
    status.out,
    new RegExp(`shop-1 {2}waiting for you[\\s\\S]*! ${task} +conflict[\\s\\S]*espalier resolve ${task}`),
  )

  assert.equal((await said('resolve', task, '--done', '--abort')).status, 2)
  const notOpen = await said('resolve', task, '--done')
  assert.equal(notOpen.status, 1)
  assert.ok(
    notOpen.err.includes(`there is no worktree for the conflict of ${task}: \`espalier resolve ${task} --run shop-1\``),
  )
  const worktree = repository.at('mine')
  const opened = await said('resolve', '--worktree', '../mine') // the only task in conflict
  assert.equal(opened.status, 0, opened.err)
  assert.ok(
    opened.out.includes(
      `New worktree: ${worktree}\n1 file in conflict between the landed work of ${other} and the work of ${task}:\n  src/a.txt\n`,
    ),
    opened.out,
  )
  assert.match(opened.out, new RegExp(`espalier resolve ${task} --run shop-1 --done`))

  assert.match(await readFile(join(worktree, 'src/a.txt'), 'utf8'), />>>>>>>/)
  const early = await espalier(join(worktree, 'src'), ['resolve', '--done'])
  assert.equal(early.status, 1)
  assert.match(
    early.err,
    new RegExp(`^${task} of run shop-1: .*markers are left in src/a\\.txt\\. Fix that in ${worktree}`),
  )
  await writeFile(join(worktree, 'src/a.txt'), 'both\n')
  const done = await espalier(join(worktree, 'src'), ['resolve', '--done'])
  assert.equal(done.status, 0, done.out + done.err)
  assert.match(done.out, new RegExp(`Resolved: ${task}[\\s\\S]*${task} landed[\\s\\S]*run shop-1 completed`))
  assert.ok(!existsSync(worktree))
  assert.ok(done.out.endsWith(`was removed with the worktree: \`cd ${repository.top}\`\n`), done.out)
  assert.equal(repository.git('show', 'espalier/shop-1:src/a.txt'), 'both')
  const late = await said('resolve', other, '--abort')
  assert.deepEqual([late.status, late.err.trim()], [1, `${other} of run shop-1 is landed, not in conflict`])
  const none = await said('resolve')
  assert.deepEqual([none.status, none.err], [1, 'no task of run shop-1 is in conflict\n'])
})

test('where several tasks are in conflict, they are named', async () => {
  await using repository = await makeRepository()
  const file = repository.at('plan.yaml')
  await writeFile(file, `${PLAN}  - { id: three, run: "echo three > src/a.txt" }\n`)
  const run = await espalier(repository.top, ['run', file])
  assert.equal(run.status, 3, run.out + run.err)
  const resolve = await espalier(repository.top, ['resolve'])
  assert.equal(resolve.status, 1)
  assert.match(resolve.err, /^several tasks of run shop-1 are in conflict, name one: (\w+), (\w+)\n$/)
})
