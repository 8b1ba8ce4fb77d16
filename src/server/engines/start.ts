// Starting an engine: a detached `espalier run`, `resume` or `retry`, exactly as a person starts one. It outlives the server,
// and is followed like any other, through the store.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import { listRuns } from '../../workspace/read-runs.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { SERVER_LIMITS } from '../limits.ts'
import { espalierCommand } from './command.ts'

type StartedEngine = { run: string; pid: number }

/** Resolves when the run is in the journal with that engine, or when the engine has refused. */
export async function startEngine(
  workspace: Workspace,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Result<StartedEngine>> {
  const said = new Said()
  const [program = '', ...first] = espalierCommand()
  const child = spawn(program, [...first, ...args], {
    cwd: workspace.repo,
    env: { ...environment, NO_COLOR: '1' },
    detached: true,
    stdio: ['ignore', 'ignore', said.file],
  })
  const { pid } = child
  const ended = new Promise<void>((resolve) => {
    child.on('exit', () => resolve())
    child.on('error', () => resolve())
  })
  child.unref()
  try {
    if (pid === undefined) return refuse('no process could be started: the machine has no more of them, or no memory')
    return await whatBecame(workspace, pid, ended, said)
  } finally {
    said.close()
  }
}

async function whatBecame(
  workspace: Workspace,
  pid: number,
  ended: Promise<void>,
  said: Said,
): Promise<Result<StartedEngine>> {
  const until = performance.now() + SERVER_LIMITS.startMs
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (performance.now() < until) {
    const wasOver = isOver // a run may come and go between two looks
    const runs = await listRuns(workspace)
    if (!runs.ok) return runs
    // A number of a process is given again some day, so what it wrote before this one was born does not count.
    const mine = runs.value.find((one) => one.enginePid === pid && (one.lastAt ?? one.startedAt) >= said.since)
    if (mine) return ok({ run: mine.run, pid })
    if (wasOver) return { ok: false, problems: said.problems() }
    await Promise.race([ended, wait(LOOK_MS)])
  }
  return refuse(
    `the engine (process ${pid}) has not begun after ${SERVER_LIMITS.startMs / 1000} s: look at the machine`,
  )
}

const LOOK_MS = 40

/** What the engine prints on stderr, in a file without a name: it is gone with the last who has it open. */
class Said {
  readonly file: number
  readonly since = Date.now()

  constructor() {
    const path = join(tmpdir(), `espalier-${randomBytes(8).toString('hex')}`)
    this.file = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
  }

  problems(): Problem[] {
    const buffer = Buffer.alloc(Math.min(fstatSync(this.file).size, MOST_SAID))
    readSync(this.file, buffer, 0, buffer.length, 0)
    const lines = buffer.toString('utf8').split('\n')
    const told = lines.filter((line) => line.trim() !== '')
    return told.length > 0 ? told.map(placed) : [problem('the engine ended without a word')]
  }

  close(): void {
    closeSync(this.file)
  }
}

const MOST_SAID = 256 << 10

/** `plan.yaml:12:5: message`, as `formatProblem` writes it. */
export function placed(line: string): Problem {
  const [, file, at, column, rest] = /^([^\s:]+):(\d+):(?:(\d+):)? (.*)$/.exec(line) ?? []
  const [, warning] = /^warning: (.*)$/.exec(rest ?? line) ?? []
  const severity = warning === undefined ? 'error' : 'warning'
  if (file === undefined) return problem(warning ?? line, { severity })
  const place = { file, line: Number(at), column: column === undefined ? null : Number(column), severity } as const
  return problem(warning ?? rest ?? line, place)
}
