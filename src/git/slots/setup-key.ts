// Hash of what the setup of a worktree depends on: the commands, the commit the run began with, and the files that name
// what is to be installed, as they are in the commit at hand. If any of it differs, setup runs again.
import { createHash } from 'node:crypto'
import type { Settings } from '../../config.ts'
import { type EngineRepository, inEngine } from '../engine/repository.ts'
import { git, LITERAL } from '../run/git.ts'

/** Null: no setup. */
export async function setupKey(
  engine: EngineRepository,
  { setup, setupInputs }: Pick<Settings, 'setup' | 'setupInputs'>,
  { runBase, commit }: { runBase: string; commit: string },
): Promise<string | null> {
  if (setup.length === 0) return null
  const files = setupInputs.length === 0 ? '' : await inputsIn(engine, commit, setupInputs)
  return createHash('sha256')
    .update(JSON.stringify([setup, runBase, files]))
    .digest('hex')
}

/** Modes, ids and names. A folder counts with all that is in it. */
async function inputsIn(engine: EngineRepository, commit: string, inputs: readonly string[]): Promise<string> {
  const args = ['ls-tree', '-z', '--full-tree', commit, '--', ...inputs]
  return (await git(args, { ...inEngine(engine), env: LITERAL })).stdout.toString('latin1')
}
