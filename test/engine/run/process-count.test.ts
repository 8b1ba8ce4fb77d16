// How many processes a task takes beside its agent's own: at most 12, whatever the timing.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { counted } from '../../git/counted.ts'
import { Rig } from '../../rig/rig.ts'

const LIMIT = 12
/** Of a supervisor, besides the programs it starts: its shell, and one for each end of the pipe behind the command. */
const SHELLS = 3
/** The programs a supervisor may start. `setsid` becomes the command. */
const PROGRAMS = ['split', 'cat', 'setsid', 'mv', 'rm', 'rmdir', 'sleep', 'ps', 'sysctl']
/** One publication, for the one task or the many that landed since the last. */
const PUBLISHING = ['for-each-ref', 'rev-list', 'update-ref', 'pack-objects', 'unpack-objects', 'index-pack']

type Count = { own: number; publication: number; supervisor: number }

/** Of a run of so many tasks that change a file and print something. */
async function countOf(tasks: number): Promise<{ own: number; publications: string[]; programs: string[] }> {
  await using rig = await Rig.open()
  const { path, programs } = noting(rig.repository.path)
  const plan = Array.from({ length: tasks }, (_, n) => ({ id: `t${n}`, run: `echo ${n} > ${n}.txt; echo done` }))
  const { commands } = await counted(async () => {
    const { outcome } = await rig.run(plan, { maxConcurrency: 4 }, { ...process.env, PATH: path })
    assert.equal(rig.landings(outcome).length, tasks)
  })
  const publications = commands.filter((command) => PUBLISHING.includes(command))
  return { own: commands.length - publications.length, publications, programs: programs() }
}

/** A PATH on which every program a supervisor starts notes its name. */
function noting(folder: string): { path: string; programs: () => string[] } {
  const [bin, log] = [join(folder, 'noting'), join(folder, 'programs')]
  mkdirSync(bin)
  writeFileSync(log, '')
  for (const name of PROGRAMS) {
    const real = execFileSync('sh', ['-c', `command -v ${name} || true`], { encoding: 'utf8' }).trim()
    const script = `#!/bin/sh\necho ${name} >>'${log}'\nexec ${real} "$@"\n`
    if (real !== '') writeFileSync(join(bin, name), script, { mode: 0o755 })
  }
  return { path: `${bin}:${process.env.PATH}`, programs: () => readFileSync(log, 'utf8').trim().split('\n') }
}

test(`a task takes at most ${LIMIT} processes beside its agent's own, also where each is published alone`, async (t) => {
  const [few, many] = [await countOf(4), await countOf(14)]
  const supervisor = many.programs.filter((name) => name !== 'setsid').length / 14
  assert.deepEqual([...new Set(many.programs)].sort(), ['cat', 'setsid', 'split'])
  // Each begins by looking where the branch is; the last look of a run may find that nothing is missing.
  const looks = many.publications.filter((command) => command === 'for-each-ref').length
  const count: Count = {
    own: (many.own - few.own) / 10,
    publication: Math.ceil(many.publications.length / Math.max(1, looks)),
    supervisor: SHELLS + supervisor,
  }
  t.diagnostic(JSON.stringify(count))
  assert.ok(count.own <= 4, `git for the task itself: ${count.own}`)
  assert.ok(count.own + count.publication + count.supervisor <= LIMIT, JSON.stringify(count))
})
