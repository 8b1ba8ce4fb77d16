// A plan file after other runs of it: what a person is told before a run, what is not done again, what is refused.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalierHere } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

async function project(name: string, text: string) {
  const repository = await makeRepository({ files: { [name]: text } })
  const [file, bad] = [repository.at('repo', name), repository.at('bad')]
  const type = async (expected: number, ...args: string[]) => {
    const { status, out, err } = await espalierHere(repository.top, args)
    assert.equal(status, expected, out + err)
    return out + err
  }
  /** Each task writes its name; those in `failing` fail. */
  const run = (failing: string, expected: number, ...args: string[]) => {
    writeFileSync(bad, failing.replaceAll(' ', '\n'))
    const agent = `cat >/dev/null; grep -qx "$ESPALIER_TASK" '${bad}' && exit 3; echo done >"$ESPALIER_TASK.txt"`
    return type(expected, ...args, '--retries', '0', '--command', agent)
  }
  const warned = async (...args: string[]) => {
    const all = await type(0, 'run', name, '--dry-run', ...args, '--command', 'true')
    return all.split('\n').filter((line) => line.includes('warning: '))
  }
  const edit = (change: (text: string) => string) => writeFileSync(file, change(readFileSync(file, 'utf8')))
  return { repository, file, type, run, warned, edit, [Symbol.asyncDispose]: () => repository[Symbol.asyncDispose]() }
}

test('what landed in the last run of a plan without statuses is named, with the way to do only the rest', async () => {
  const plan = 'name: shop\ntasks:\n  - { id: a, prompt: a }\n  - { id: b, prompt: b }\n'
  await using shop = await project('plan.yaml', plan)
  const { repository } = shop
  assert.deepEqual(await shop.warned(), [], 'nothing has run yet')
  assert.doesNotMatch(await shop.run('b', 1, 'run', 'plan.yaml'), /warning/)
  const warning = `${shop.file}: warning: this run repeats a, which landed in run shop-1. Instead: \`espalier retry --run shop-1\` (retry b), with \`--replan\` as the plan is written now`
  assert.deepEqual(await shop.warned(), [warning])
  await repository.write('other.yaml', plan)
  assert.doesNotMatch(
    await shop.type(0, 'run', 'other.yaml', '--dry-run', '--command', 'true'),
    /warning: this run repeats/,
  )
  const elsewhere = repository.at('elsewhere')
  repository.git('worktree', 'add', '-q', '--detach', elsewhere)
  const fromThere = await espalierHere(elsewhere, ['run', 'plan.yaml', '--dry-run', '--command', 'true'])
  assert.match(fromThere.err, /this run repeats a, which landed in run shop-1/)
  shop.edit((text) => text.replace(/.*id: a.*\n/, ''))
  assert.deepEqual(await shop.warned(), [], 'the rest of the plan only')
  writeFileSync(shop.file, plan)
  await shop.run('', 0, 'run', 'plan.yaml')
  assert.deepEqual(await shop.warned(), [], 'all of the last run succeeded')
})

const BOXES = '# Tasks: Tea\n\n- [ ] T001 Put the kettle on in kettle.txt\n- [ ] T002 Pour it into cup.txt\n'

test('a file with statuses that was put back to what it was: what landed before is named, whichever run it was', async () => {
  await using tea = await project('tasks.md', BOXES)
  await tea.run('t002', 1, 'run', 'tasks.md', '--no-write-back')
  const [first = ''] = await tea.warned()
  assert.match(first, /repeats `T001`, which landed in run tea-1\. Instead: `espalier retry --run tea-1`/)
  await tea.type(0, 'land', 'tea-1')
  tea.edit((text) => text.replace('[ ] T001', '[x] T001'))
  await tea.run('', 0, 'run', 'tasks.md')
  await tea.type(0, 'land', 'tea-2')

  writeFileSync(tea.file, BOXES)
  const again = 'this run repeats `T001`, `T002`, which landed in earlier runs (tea-2, tea-1)'
  const warning = `${tea.file}: warning: ${again}. To leave them out, mark them as done in the file`
  assert.deepEqual(await tea.warned(), [warning])
  await tea.type(0, 'clean', '--run', 'tea-1')
  assert.deepEqual(await tea.warned(), [warning])
  // Somebody wants one of them again, in other words: that is another task.
  writeFileSync(tea.file, BOXES.replace('[ ] T001', '[x] T001').replace('Pour it', 'Pour milk'))
  assert.deepEqual(await tea.warned(), [])
})

test('work that was not landed: plan check and a run with nothing left warn, a run with more is refused', async () => {
  await using tea = await project('tasks.md', BOXES)
  await tea.run('', 0, 'run', 'tasks.md')
  const where =
    '`T001`, `T002` are done by the plan file, but their work is not in HEAD: it is on espalier/tea-1, which was not landed'
  const land = '`espalier land tea-1` brings it onto your branch'
  assert.ok(
    (await tea.run('', 0, 'run', 'tasks.md')).includes(`Nothing left to do\n${tea.file}: warning: ${where}. ${land}\n`),
  )
  tea.edit((text) => `${text}- [ ] T003 Drink it from cup.txt\n`)
  const ways = ['`--base espalier/tea-1` starts the new run from there', '`--base HEAD` starts it without that work']
  const choice = `${[where, land, ...ways].join('\n  ')}\n`
  assert.ok((await tea.run('', 2, 'run', 'tasks.md')).includes(`${tea.file}: ${choice}`))
  assert.ok((await tea.type(0, 'plan', 'check', 'tasks.md')).includes(`${tea.file}: warning: ${choice}`))
  assert.ok((await tea.run('', 0, 'run', 'tasks.md', '--dry-run')).includes(`${tea.file}: warning: ${choice}`))
  assert.ok(
    (await tea.run('', 0, 'run', 'tasks.md', '--base', 'HEAD')).includes(`${tea.file}: warning: ${where}. ${land}\n`),
  )
})

function queue(ids: string[], needs: Record<string, string[]> = {}): string {
  const features = ids.map((id) => ({
    id,
    description: id,
    file: `${id}.txt`,
    depends_on: needs[id] ?? [],
    status: 'pending',
  }))
  return JSON.stringify({ project: 'shop', features }, null, 2)
}

test('what another run has landed since is not done again: retry refuses, and what is dropped from the plan fails no run', async () => {
  await using shop = await project('queue.json', queue(['a', 'b', 'c', 'd']))
  for (const [n, failing] of ['b c d', 'c d'].entries()) {
    await shop.run(failing, 1, 'run', 'queue.json')
    await shop.type(0, 'land', `shop-${n + 1}`)
  }
  assert.match(await shop.type(2, 'retry', '--run', 'shop-1', 'nope'), /has no task nope/)
  const again = await shop.run('c d', 1, 'retry', '--run', 'shop-1')
  assert.match(again, /retrying 2 tasks: c, d/, 'b was done by shop-2')
  assert.match(again, /b was dropped: run shop-2 has landed it since/)
  assert.match(again, /- done in the file: b\n/)
  shop.edit((text) => text.replace(/("id": "c",[^}]*"status": )"\w+"/, '$1"complete"'))
  const done = await shop.run('d', 1, 'retry', '--run', 'shop-1', '--replan')
  assert.match(done, /- done in the file: c\n/, 'c failed, and somebody else has done it')
  assert.match(done, /c was dropped: it is done in the plan file/)
  shop.edit((text) => text.replace(/,\s*\{\s*"id": "d"[^}]*\}/, ''))
  const dropped = await shop.run('', 0, 'retry', '--run', 'shop-1', '--replan')
  assert.match(dropped, /- gone: d\n/)
  assert.match(dropped, /d was dropped: it is not in the plan any more/)
  assert.doesNotMatch(dropped, /d started/)
})

test('where nothing is left to try again, nobody is sent there, and retry says why', async () => {
  await using shop = await project('queue.json', queue(['y', 'x'], { x: ['y'] }))
  await shop.run('y', 1, 'run', 'queue.json')
  await shop.run('x', 1, 'run', 'queue.json')
  const status = await shop.type(0, 'status', 'shop-1')
  assert.match(status, /✓ landed by run shop-2 since: y/)
  assert.doesNotMatch(status, /espalier retry/, 'x needs y, which is on the branch of shop-2')
  const stuck = await shop.type(2, 'retry', '--run', 'shop-1')
  assert.match(stuck, /x needs y, which is not done here, because run shop-2 has landed it since\. `espalier retry y/)
  await shop.type(0, 'land', 'shop-2')
  await shop.run('', 0, 'run', 'queue.json')
  const done = await shop.type(2, 'retry', '--run', 'shop-1')
  assert.match(
    done,
    /nothing of run shop-1 is left to try again: y landed in run shop-2 since, x landed in run shop-3 since\n/,
  )
  assert.equal(
    await shop.type(2, 'resume'),
    'there is no run to resume. The newest, shop-3, has finished (completed)\n',
  )
  assert.match(await shop.type(0, 'land', 'shop-2'), /main already has .*\nLanded by other runs: x \(shop-3\)\n/)
})

test('a changed plan is not taken over where the branch lacks what the file calls done, until nothing needs it', async () => {
  await using shop = await project('queue.json', queue(['a', 'b', 'c', 'd'], { b: ['a'], c: ['b'], d: ['c'] }))
  await shop.run('c', 1, 'run', 'queue.json')
  shop.edit((text) => text.replace(/("id": "c",[^}]*"status": )"\w+"/, '$1"complete"'))
  const before = shop.repository.git('for-each-ref')
  const refused = await shop.run('', 2, 'retry', '--replan')
  assert.match(refused, /`c` is done by the plan file, but not by run shop-1: .* and `d` needs it\n/)
  assert.match(refused, /`espalier land shop-1`, then a new run of the plan file/)
  assert.doesNotMatch(refused, /plan changes applied/)
  assert.equal(shop.repository.git('for-each-ref'), before)
  shop.edit((text) => text.replace(/"depends_on": \[\s*"c"\s*\]/, '"depends_on": ["b"]'))
  await shop.run('', 0, 'retry', '--replan')
  assert.equal(readFileSync(shop.file, 'utf8').match(/"complete"/g)?.length, 4)
})
