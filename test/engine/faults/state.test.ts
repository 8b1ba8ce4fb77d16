// A state folder that cannot be used: every command says what is wrong with which file and what to do, and none of them
// changes anything or shows where in the program it happened.
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { espalierHere } from '../../rig/espalier.ts'
import { Rig } from '../../rig/rig.ts'

/** With the exit status each has when the state cannot be used. */
const COMMANDS: [status: number, ...args: string[]][] = [
  [2, 'run', '../plan.yaml'],
  [2, 'resume'],
  [2, 'resume', 'plan-1'],
  [2, 'status'],
  [2, 'status', '--all'],
  [2, 'cancel'],
  [2, 'clean'],
  [2, 'land'],
  [2, 'logs', 'a'],
  [2, 'report'],
  [1, 'doctor'],
]

/** A repository with one run that is over, and a plan for another. */
async function used(): Promise<Rig> {
  const rig = await Rig.open()
  await rig.run([{ id: 'a', run: 'echo a > a.txt' }])
  await rig.repository.write('../plan.yaml', 'name: plan\ntasks: [{id: a, run: "true"}]\n')
  return rig
}

async function everyCommandSays(rig: Rig, wanted: RegExp): Promise<void> {
  for (const [status, ...args] of COMMANDS) {
    const said = await espalierHere(rig.top, args)
    const all = `espalier ${args.join(' ')}: ${said.out}${said.err}`
    assert.match(all, wanted)
    assert.doesNotMatch(all, /unexpected|Error:|\.ts:\d|\.js:\d/)
    assert.equal(said.status, status, all)
  }
}

for (const [what, damage] of [
  ['overwritten from its second page on', (bytes: Buffer) => bytes.fill(0xff, 4_096)],
  ['not a database', () => Buffer.from('this is no database, and long enough to be looked at'.repeat(100))],
  ['cut in the middle', (bytes: Buffer) => bytes.subarray(0, 9_000)],
] as const)
  test(`a state database that is ${what}: every command says so, and to move it away`, async () => {
    await using rig = await used()
    const database = join(rig.state, 'state.db')
    const damaged = damage(await readFile(database))
    await writeFile(database, damaged)
    await everyCommandSays(rig, /state\.db.*move it away/s)
    assert.deepEqual(await readFile(database), damaged)
  })

test('a row that makes no sense: every command says so, and to move the database away', async () => {
  await using rig = await used()
  const db = new DatabaseSync(join(rig.state, 'state.db'))
  db.exec(`update run set view = '{"run": 7}', plan = '[]'; update event set data = 'x'`)
  db.close()
  await everyCommandSays(rig, /state\.db is damaged .*makes no sense.*move it away/s)
})

test('a state database of a newer version: every command says so, and to install that version', async () => {
  await using rig = await used()
  const db = new DatabaseSync(join(rig.state, 'state.db'))
  db.exec('pragma user_version = 999')
  db.close()
  await everyCommandSays(rig, /state\.db was written by a newer version of espalier: install that version/)
})

test('a state folder that may not be written: whoever has to write says so, and what to do', async () => {
  await using rig = await used()
  // Root may write anywhere: there, a folder is in the way of the file that is written first.
  const guard = join(rig.state, 'engine.lock.guard')
  const isRoot = process.getuid?.() === 0
  rmSync(guard, { force: true })
  if (isRoot) mkdirSync(guard)
  else chmodSync(rig.state, 0o500)
  try {
    for (const args of [['run', '../plan.yaml'], ['resume'], ['clean']]) {
      const said = await espalierHere(rig.top, args)
      assert.match(
        said.err,
        /the state folder .*repo\.espalier cannot be written \(.*\): .*--state-dir/,
        args.join(' '),
      )
      assert.doesNotMatch(said.err, /unexpected|\.ts:\d/)
      assert.equal(said.status, 2)
    }
    const status = await espalierHere(rig.top, ['status'])
    if (isRoot) assert.equal(status.status, 0, status.err)
    else assert.ok(status.status === 0 || /state\.db may not be written/.test(status.err), status.err)
  } finally {
    chmodSync(rig.state, 0o700)
  }
})

test('a state folder that cannot be made: the run is refused with what to do', async () => {
  await using rig = await used()
  await rig.repository.write('../in-the-way', '')
  const said = await espalierHere(rig.top, ['run', '../plan.yaml', '--state-dir', '../in-the-way/state'])
  assert.match(said.err, /the state folder .*in-the-way\/state cannot be written \(.*\): .*--state-dir/)
  assert.equal(said.status, 2)
})
