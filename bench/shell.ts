// The same tasks through Espalier and through the shell a person would write instead (shell-version.sh).
//
// Per task is wall time divided by tasks, with as many at a time on both sides. The shell version has nothing that
// could be warm, so its whole run gives its cost per task. Espalier goes first: on some file systems (ext4 without a
// journal) files are made far more slowly after many were deleted, and deleting is what the other side does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atLeast, type Benchmark, type Scene, type Table } from './benchmark.ts'
import { commandPlan, runPlan } from './espalier-run.ts'
import { createSampleRepository } from './sample-repository.ts'
import { median } from './statistics.ts'

const SLOTS = 2
const TASKS = 24
const REPEATS = 3

export const shell: Benchmark = {
  name: 'shell',
  about: `Espalier against git worktree under xargs, ${SLOTS} at a time (${availableParallelism()} cores)`,
  async run(at) {
    const small = await compare(at, 200, { repeats: REPEATS, edits: TASKS, noOps: TASKS })
    // Ten seconds a task on a slow file system, and each like the one before: a third of them, times three.
    const large = await compare(at, 20_000, { repeats: 1, edits: at.full ? TASKS : TASKS / 3, noOps: 4 })
    const { edit, noOp, cold } = large
    return {
      tables: [small.table, large.table],
      bars: [
        atLeast('20,000 files, small edit, warm: cheaper per task', edit.ratio, 20, '×'),
        atLeast('20,000 files, no-op, warm: cheaper per task', noOp.ratio, 20, '×'),
        atLeast(`20,000 files, ${TASKS} small edits from cold: faster`, cold.ratio, 5, '×'),
      ],
    }
  },
}

type Pair = { espalierMs: number; shellMs: number; ratio: number }
type Compared = { table: Table; edit: Pair; noOp: Pair; cold: Pair }

async function compare(
  { scratch, say }: Scene,
  files: number,
  inShell: { repeats: number; edits: number; noOps: number },
): Promise<Compared> {
  say(`making a repository of ${files} files`)
  const repo = join(scratch, `repo-${files}`)
  const paths = await createSampleRepository(repo, files)
  const edits = smallEdits(paths)
  const noOps = Array<string>(TASKS).fill('true')

  say('Espalier, from cold')
  const cold: number[] = []
  for (let n = 1; n <= REPEATS; n++) cold.push((await espalier(repo, edits, `state-${n}`)).totalMs)
  say('Espalier, warm')
  const warmEdits: number[] = []
  const warmNoOps: number[] = []
  for (let n = 0; n < REPEATS; n++) {
    warmEdits.push((await espalier(repo, edits, 'state-1')).executeMs / TASKS)
    warmNoOps.push((await espalier(repo, noOps, 'state-1')).executeMs / TASKS)
  }
  say('the shell version')
  const shellWhole: number[] = []
  const shellEdits: number[] = []
  const shellNothing: number[] = []
  for (let n = 0; n < inShell.repeats; n++) {
    const { taskMs, aroundMs } = await shellVersion(repo, edits.slice(0, inShell.edits))
    shellEdits.push(taskMs)
    shellWhole.push(aroundMs + taskMs * TASKS)
    shellNothing.push((await shellVersion(repo, noOps.slice(0, inShell.noOps))).taskMs)
  }
  const whole = pair(median(cold), median(shellWhole))
  const edit = pair(median(warmEdits), median(shellEdits))
  const noOp = pair(median(warmNoOps), median(shellNothing))
  const row = (what: string, { espalierMs, shellMs, ratio }: Pair) => [what, espalierMs, shellMs, ratio]
  const rows = [
    row('no-op, per task, warm', noOp),
    row('small edit, per task, warm', edit),
    row(`${TASKS} small edits, from cold`, whole),
  ]
  const columns = ['', 'Espalier ms', 'shell ms', 'times']
  const measured = inShell.edits === TASKS ? '' : ` (shell: ${inShell.edits} tasks measured, scaled to ${TASKS})`
  const title = `${files.toLocaleString('en-US')} files${measured}`
  return { table: { title, columns, rows }, edit, noOp, cold: whole }
}

/** Each appends a line to three files that no other touches. */
function smallEdits(paths: readonly string[]): string[] {
  const stride = Math.floor(paths.length / (TASKS * 3))
  return Array.from({ length: TASKS }, (_, task) =>
    [0, 1, 2].map((n) => `echo "// ${task}" >>${paths[(task * 3 + n) * stride]}`).join(' && '),
  )
}

function espalier(repo: string, commands: readonly string[], state: string) {
  return runPlan(repo, commandPlan(commands), { maxConcurrency: SLOTS, stateDir: `${repo}.${state}` })
}

/** Per task, and once for the worktree that merges are made in. */
async function shellVersion(repo: string, commands: readonly string[]): Promise<{ taskMs: number; aroundMs: number }> {
  const list = `${repo}.commands`
  writeFileSync(list, `${commands.join('\n')}\n`)
  const script = fileURLToPath(new URL('shell-version.sh', import.meta.url))
  const start = performance.now()
  // A group of its own, so that all of it can be ended with the benchmark.
  const child = spawn('sh', [script, repo, `${repo}.shell`, String(SLOTS), list], {
    stdio: ['ignore', 2, 2],
    detached: true,
  })
  const end = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  process.on('exit', end)
  const [status] = await once(child, 'exit')
  const ms = performance.now() - start
  process.off('exit', end)
  if (status !== 0) throw new Error(`the shell version failed: exit status ${status}`)
  const [began, ended] = readFileSync(`${repo}.shell/times`, 'utf8').split('\n').map(Number)
  const tasksMs = ((ended ?? 0) - (began ?? 0)) / 1e6
  return { taskMs: tasksMs / commands.length, aroundMs: ms - tasksMs }
}

function pair(espalierMs: number, shellMs: number): Pair {
  return { espalierMs, shellMs, ratio: shellMs / espalierMs }
}
