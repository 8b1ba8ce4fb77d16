// Starts engines: detached `espalier run`, `resume` or `retry`, as a person starts them. They outlive the server, which follows
// them through the store.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ok, type Result, refuse } from '../../problem.ts'
import { listRuns } from '../../workspace/read-runs.ts'
import type { ServerContext } from '../context.ts'
import { SERVER_LIMITS } from '../limits.ts'
import type { Project } from '../projects/projects.ts'
import { espalierCommand, type FlagValues, flagsOf, problemsIn } from './espalier-process.ts'

type StartedEngine = { run: string; pid: number }

/**
 * Resolves when the run is in the journal with that engine, or when the engine has refused. `settings` are its flags; `words` stand
 * behind them.
 */
export async function startEngine(
  { project, context }: { project: Project; context: Pick<ServerContext, 'environment'> },
  command: readonly string[],
  settings: FlagValues,
  words: Result<readonly string[]>,
): Promise<Result<StartedEngine>> {
  if (!words.ok) return words
  const { workspace, hub } = project
  const since = Date.now()
  const cursor = await hub.cursor()
  const errors = namelessFile()
  try {
    const [program = '', ...first] = espalierCommand()
    const child = spawn(program, [...first, ...command, '--json', ...flagsOf(settings), ...words.value], {
      cwd: workspace.repo,
      env: { ...context.environment, NO_COLOR: '1' },
      detached: true,
      stdio: ['ignore', 'ignore', errors],
    })
    const { pid } = child
    const ended = new AbortController()
    child.on('exit', () => ended.abort())
    child.on('error', () => ended.abort())
    child.unref()
    if (pid === undefined) return refuse('no process could be started: the machine has no more of them, or no memory')
    const begun = async (): Promise<Result<StartedEngine> | null> => {
      const runs = await listRuns(workspace)
      if (!runs.ok) return runs
      // Process ids are reused: runs that an earlier process with this id wrote do not count.
      const mine = runs.value.find((one) => one.enginePid === pid && (one.lastAt ?? one.startedAt) >= since)
      return mine ? ok({ run: mine.run, pid }) : null
    }
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(SERVER_LIMITS.startMs)])
    for await (const _ of hub.follow(cursor, { signal })) {
      const found = await begun()
      if (found) return found
    }
    // A short run may have ended before its events were read.
    return (
      (await begun()) ??
      (ended.signal.aborted
        ? { ok: false, problems: problemsIn(textIn(errors)) }
        : refuse(
            `the engine (process ${pid}) has not begun after ${SERVER_LIMITS.startMs / 1000} s: look at the machine`,
          ))
    )
  } finally {
    closeSync(errors)
  }
}

/** Removed at once; its content is gone with the last process that has it open. */
function namelessFile(): number {
  const path = join(tmpdir(), `espalier-${randomBytes(8).toString('hex')}`)
  const file = openSync(path, 'wx+', 0o600)
  unlinkSync(path)
  return file
}

function textIn(file: number): string {
  const buffer = Buffer.alloc(Math.min(fstatSync(file).size, MOST_BYTES))
  readSync(file, buffer, 0, buffer.length, 0)
  return buffer.toString('utf8')
}

const MOST_BYTES = 256 << 10
