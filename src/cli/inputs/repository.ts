// Which checkout and which runs a command is about: `--repo` or the folder it was started in, and the state folder.
import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { type LayerSettings, resolveSettings, type Settings } from '../../config.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { shellWord } from '../../text/shell-word.ts'
import { openWorkspace, type Workspace } from '../../workspace/workspace.ts'
import type { Surroundings } from '../surroundings.ts'
import { type Layers, readLayers } from './settings-layers.ts'

export type RepositoryFlags = { repo?: string; stateDir?: string }

export type Repository = {
  /** The top of the checkout; outside of one the folder itself. */
  repo: string
  stateDir: string | null
  layers: Layers
  /** Of all layers, without those of a plan. */
  settings: Settings
  /** The flags a person has to repeat to mean the same repository, with a leading space; often empty. */
  repeat: string
}

export async function findRepository(
  surroundings: Surroundings,
  flags: RepositoryFlags,
  settings: LayerSettings = {},
): Promise<Result<Repository>> {
  if (!isAbsolute(flags.repo ?? '.') && !existsSync(surroundings.cwd))
    return refuse('your current folder is gone: cd to the repository (or name it with --repo)')
  const folder = resolve(surroundings.cwd, flags.repo ?? '.')
  const top = topOfCheckout(folder)
  const fromFlags = flags.stateDir === undefined ? settings : { ...settings, stateDir: flags.stateDir }
  const layers = await readLayers(surroundings, top, fromFlags)
  if (!layers.ok) return layers
  const { settings: all } = resolveSettings([...layers.value.belowPlan, ...layers.value.abovePlan])
  return ok({
    repo: top ?? folder,
    stateDir: all.stateDir,
    layers: layers.value,
    settings: all,
    repeat: Object.entries({ '--repo': flags.repo, '--state-dir': flags.stateDir })
      .map(([flag, value]) => (value === undefined ? '' : ` ${flag} ${shellWord(value)}`))
      .join(''),
  })
}

export type WithWorkspace = Repository & { workspace: Workspace }

/** The same for commands that need the state of a repository: refused outside of one. Closed when the command is over. */
export async function findWorkspace(
  surroundings: Surroundings,
  flags: RepositoryFlags,
  settings: LayerSettings = {},
): Promise<Result<WithWorkspace>> {
  const found = await findRepository(surroundings, flags, settings)
  if (!found.ok) return found
  const workspace = await openWorkspace(found.value)
  return workspace.ok ? ok({ ...found.value, workspace: surroundings.resources.use(workspace.value) }) : workspace
}

/** The nearest folder at or above this one that holds a `.git`, or null. */
export function topOfCheckout(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder
  const parent = dirname(folder)
  return parent === folder ? null : topOfCheckout(parent)
}
