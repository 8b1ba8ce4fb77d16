// The run goes on without this terminal: a process of its own takes it over. It is `resume`, which adopts the agents that are
// at work, so this is the way of a killed engine, and what holds for that one holds here.
import { spawn } from 'node:child_process'
import { mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Workspace } from '../../workspace/workspace.ts'

/** Once this process has let go of the run. Where it prints. */
export function continueDetached(
  { repo, stateDir, folder }: Workspace,
  run: string,
  env: Record<string, string | undefined>,
): string {
  const log = join(folder.runs, run, '_engine.log')
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 })
  const output = openSync(log, 'a', 0o600)
  const place = ['--repo', repo, ...(stateDir === null ? [] : ['--state-dir', stateDir])]
  const argv = [...process.execArgv, process.argv[1] ?? '', 'resume', run, ...place]
  const child = spawn(process.execPath, argv, { cwd: repo, env, detached: true, stdio: ['ignore', output, output] })
  child.unref()
  return log
}
