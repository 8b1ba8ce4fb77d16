import { resolveSettings } from '../../config.ts'
import { padEnd, widest } from '../../text/width.ts'
import type { ExitStatus } from '../exit-status.ts'
import { hasDefaultPlan, loadPlan } from '../inputs/plan-file.ts'
import { findRepository, type RepositoryFlags } from '../inputs/repository.ts'
import { refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { settingRow } from '../tables/settings.ts'
import { printJson, printLines } from '../terminal/print.ts'

type Flags = RepositoryFlags & { json?: boolean }

export async function config(plan: string | undefined, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findRepository(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const { layers, repo } = found.value
  const isNamed = plan !== undefined || hasDefaultPlan(surroundings, repo)
  const loaded = isNamed ? await loadPlan(plan === undefined ? [] : [plan], found.value, {}, surroundings) : null
  if (loaded && !loaded.ok) return refuseWith(loaded.problems, surroundings)
  const { settings, origin } = loaded
    ? { settings: loaded.value.settings, origin: loaded.value.settingsFrom }
    : resolveSettings([...layers.belowPlan, ...layers.abovePlan])

  if (flags.json) return printJson({ settings, origin }, surroundings, 2)
  const rows = Object.entries(origin).map(([name, from]) => ({ from, ...settingRow(name, valueAt(settings, name)) }))
  const nameWidth = widest(rows.map(({ name }) => name))
  const valueWidth = Math.min(MOST_PADDED, widest(rows.map(({ value }) => value)))
  const { dim } = surroundings.outPalette
  const lines = rows.map(({ name, value, from }) => {
    return `${padEnd(name, nameWidth)}  ${padEnd(value, valueWidth)}  ${from === 'default' ? dim(from) : from}`
  })
  return printLines(lines, surroundings)
}

/** One long list does not push the column behind it out of sight. */
const MOST_PADDED = 40

function valueAt(settings: object, name: string): unknown {
  return name.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], settings)
}
