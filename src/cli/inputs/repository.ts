// Finds the checkout and the runs for a command: `--repo` or the current folder, and the state folder.
import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { type LayerSettings, resolveSettings, type Settings, type SettingsLayer } from '../../config.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { storeName } from '../../store/place.ts'
import { shellWord } from '../../text/shell-word.ts'
import { checkoutAround, openWorkspace, type Workspace } from '../../workspace/workspace.ts'
import type { Surroundings } from '../surroundings.ts'
import type { SettingsFlags } from './run-flags.ts'
import { type Layers, readLayers } from './settings-layers.ts'

export type RepositoryFlags = { repo?: string } & Pick<SettingsFlags, 'stateDir' | 'store' | 'engineRepository'>

/** Context of a command: its process and its repository. */
export type InRepository = Surroundings & {
  /** Top folder of the checkout; outside of a checkout the folder itself. */
  repo: string
  stateDir: string | null
  /** Address of the store, maybe with a password; `settings` has it without. */
  store: string | null
  engineRepository: string | null
  layers: Layers
  /** Settings of all layers, except for a plan. */
  settings: Settings
  /** Flags to repeat in suggested commands, with a leading space; often empty. */
  repeat: string
}

export async function findRepository(
  surroundings: Surroundings,
  flags: RepositoryFlags,
  settings: LayerSettings = {},
): Promise<Result<InRepository>> {
  if (!isAbsolute(flags.repo ?? '.') && !existsSync(surroundings.cwd))
    return refuse('your current folder is gone: cd to the repository (or name it with --repo)')
  const folder = resolve(surroundings.cwd, flags.repo ?? '.')
  const top = topOfCheckout(folder)
  const { stateDir, store, engineRepository } = flags
  const places = Object.entries({ stateDir, store, engineRepository }).filter(([, value]) => value !== undefined)
  const read = await readLayers(surroundings, top, { ...settings, ...Object.fromEntries(places) })
  if (!read.ok) return read
  const { settings: given } = resolveSettings([...read.value.belowPlan, ...read.value.abovePlan])
  const layers = { belowPlan: read.value.belowPlan.map(shown), abovePlan: read.value.abovePlan.map(shown) }
  const { settings: all } = resolveSettings([...layers.belowPlan, ...layers.abovePlan])
  return ok({
    ...surroundings,
    repo: top ?? folder,
    stateDir: all.stateDir,
    store: given.store,
    engineRepository: all.engineRepository,
    layers,
    settings: all,
    repeat: Object.entries({ '--repo': flags.repo, '--state-dir': flags.stateDir })
      .map(([flag, value]) => (value === undefined ? '' : ` ${flag} ${shellWord(value)}`))
      .join(''),
  })
}

/** Removes the password of the store: settings are printed and recorded with runs. */
function shown(layer: SettingsLayer): SettingsLayer {
  const { store } = layer.settings
  return store ? { ...layer, settings: { ...layer.settings, store: storeName(store) } } : layer
}

export type InWorkspace = InRepository & { workspace: Workspace }

/** Opens the state of the repository, too, until the command ends; refused outside of a repository. */
export async function findWorkspace(
  surroundings: Surroundings,
  flags: RepositoryFlags,
  settings: LayerSettings = {},
): Promise<Result<InWorkspace>> {
  const found = await findRepository(surroundings, flags, settings)
  if (!found.ok) return found
  const workspace = await openWorkspace(found.value)
  return workspace.ok ? ok({ ...found.value, workspace: surroundings.resources.use(workspace.value) }) : workspace
}

export function topOfCheckout(folder: string): string | null {
  const found = checkoutAround(folder)
  return found?.ok ? found.value : null
}
