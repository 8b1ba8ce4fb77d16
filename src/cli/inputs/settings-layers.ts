// Reads the layers of settings, each overruling the one before: the user's file, the repository's
// file, the plan, the environment, the flags. All reading of home and environment for settings happens here.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { LayerSettings, SettingsLayer } from '../../config.ts'
import { ok, problem, type Result, refuse } from '../../problem.ts'
import type { Surroundings } from '../surroundings.ts'

export type Layers = {
  belowPlan: SettingsLayer[]
  abovePlan: SettingsLayer[]
}

/** `repo` is the top of the checkout, or null outside of one. */
export async function readLayers(
  surroundings: Surroundings,
  repo: string | null,
  flags: LayerSettings,
): Promise<Result<Layers>> {
  const { env, home, cwd } = surroundings
  const files = [{ file: join(serverHome(surroundings), 'config.yaml'), base: home }]
  if (repo !== null) files.push({ file: join(repo, '.espalier', 'config.yaml'), base: repo })

  const read = await Promise.all(files.map(({ file, base }) => readLayer(file, base)))
  const fromEnv = await readEnvironment(env)
  const problems = [...read, fromEnv].flatMap((result) => (result.ok ? [] : result.problems))
  if (problems.length > 0 || !fromEnv.ok) return refuse(...problems)
  return ok({
    belowPlan: read.flatMap((result) => (result.ok && result.value ? [result.value] : [])),
    abovePlan: [
      { from: 'environment', settings: anchored(fromEnv.value, cwd) },
      { from: 'flag', settings: anchored(flags, cwd) },
    ],
  })
}

async function readEnvironment(env: Surroundings['env']): Promise<Result<LayerSettings>> {
  if (!Object.keys(env).some((name) => name.startsWith('ESPALIER_'))) return ok({})
  return (await reader()).settingsFromEnv(env)
}

/** Imported only if there is a file to read: `espalier status` rarely has one. */
function reader() {
  return import('../../workloads/settings/read.ts')
}

async function readLayer(file: string, base: string): Promise<Result<SettingsLayer | null>> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return ok(null)
    return refuse(problem(`cannot be read: ${message}`, { file }))
  }
  const { readSettings } = await reader()
  const settings = readSettings(text, file)
  return settings.ok ? ok({ from: file, settings: anchored(settings.value, base) }) : settings
}

/** Resolves paths relative to the place where they were written. */
function anchored({ stateDir, store, engineRepository, ...settings }: LayerSettings, base: string): LayerSettings {
  const path = (text: string | null) => (text === null || ADDRESS.test(text) ? text : resolve(base, text))
  return {
    ...settings,
    ...(stateDir === undefined ? {} : { stateDir: stateDir && resolve(base, stateDir) }),
    ...(store === undefined ? {} : { store: path(store) }),
    ...(engineRepository === undefined ? {} : { engineRepository: path(engineRepository) }),
  }
}

/** `postgres://…`, `ssh://…`, `git@host:path`: not file paths. */
const ADDRESS = /^([a-z][a-z0-9+.-]+:|[^/]+@[^/]+:)/i

export function serverHome({ env, home }: Pick<Surroundings, 'env' | 'home'>): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'espalier')
}
