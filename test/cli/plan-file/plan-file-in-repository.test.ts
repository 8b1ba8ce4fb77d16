// A plan of another format that is committed, and an agent that ticks its own box in it although it is told not to.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

const FILE = 'specs/tasks.md'
const PLAN = '# Tasks: Notes\n\n## Phase 1: Setup\n\n- [ ] T001 Write a note in note.txt\n'
const TOLD = /^Espalier writes task statuses into `specs\/tasks\.md`: do not edit them there\.$/m

test('its agent is told who keeps the file, and the same tick on both sides is not in the way of land', async () => {
  await using repository = await makeRepository({ files: { [FILE]: PLAN } })
  const run = (...args: string[]) => espalier(repository.top, args)
  const planned = await run('prompt', 't001', FILE)
  assert.match(planned.out, TOLD)
  const command = `cat > note.txt; sed -i 's/\\[ \\] T001/[x] T001/' ${FILE}`
  const made = await run('run', FILE, '--command', command)
  assert.equal(made.status, 0, made.out + made.err)
  const sent = await run('prompt', 't001', '--attempt', '1')
  assert.equal(sent.out, planned.out)
  assert.deepEqual(await run('prompt', 't001', '--run', 'notes-1'), sent)

  const ticked = PLAN.replace('[ ]', '[x]')
  assert.equal(readFileSync(join(repository.top, FILE), 'utf8'), ticked)
  assert.equal(repository.git('status', '--porcelain'), ` M ${FILE}`)
  const landed = await run('land')
  assert.equal(landed.status, 0, landed.err)
  assert.equal(repository.git('status', '--porcelain'), '')
  assert.equal(repository.git('show', `main:${FILE}`), ticked.trimEnd())
  assert.equal(repository.git('show', 'main:note.txt'), sent.out.trimEnd())
})

for (const commits of [false, true])
  test(`a tick in another letter is the same tick, ${commits ? 'committed' : 'uncommitted'}`, async () => {
    await using repository = await makeRepository({ files: { [FILE]: PLAN } })
    const command = `cat > note.txt; sed -i 's/\\[ \\] T001/[X] T001/' ${FILE}`
    const made = await espalier(repository.top, ['run', FILE, '--command', command])
    assert.equal(made.status, 0, made.out + made.err)
    if (commits) repository.git('commit', '-qam', 'Note what is done')
    const landed = await espalier(repository.top, ['land'])
    assert.equal(landed.status, 0, landed.err)
    assert.equal(repository.git('status', '--porcelain'), '')
    assert.equal(repository.git('show', `main:${FILE}`), PLAN.replace('[ ]', '[X]').trimEnd())
  })

test('nothing is said of a plan that the run does not write into, or that lies elsewhere', async () => {
  await using repository = await makeRepository({
    files: {
      [FILE]: PLAN,
      'espalier.yaml': 'tasks: [{id: t001, prompt: x}]\n',
      '.espalier/config.yaml': 'writeBack: false\n',
    },
  })
  await repository.write('../outside/tasks.md', PLAN)
  const told = async (file: string) => {
    const { status, out, err } = await espalier(repository.top, ['prompt', 't001', file])
    assert.equal(status, 0, err)
    return out.includes('Espalier writes task statuses')
  }
  assert.equal(await told(FILE), false)
  await repository.write('.espalier/config.yaml', '{}\n')
  assert.equal(await told(FILE), true)
  assert.equal(await told('espalier.yaml'), false)
  assert.equal(await told('../outside/tasks.md'), false)
})
