import { resolveSettings } from '../../config.ts'
import { padEnd, widest } from '../../text/width.ts'
import { flag, help, inRepository } from '../command-line/command.ts'
import { hasDefaultPlan, loadPlan } from '../inputs/plan-file.ts'
import { printJson, printLines } from '../terminal/print.ts'

export const commands = {
  config: inRepository(
    { json: flag('--json', 'print {settings, origin} as JSON') },
    help(
      'Prints every setting and where it comes from, those of the plan included.',
      '0, or 2 if a file or variable is not valid.',
      'espalier config',
      'espalier config plan.yaml --json',
    ),
    async (here, flags, plan: string | undefined) => {
      const { layers, repo } = here
      const isNamed = plan !== undefined || hasDefaultPlan(here, repo)
      const loaded = isNamed ? await loadPlan(plan === undefined ? [] : [plan], {}, here) : null
      if (loaded && !loaded.ok) return loaded
      const { settings, origin } = loaded
        ? { settings: loaded.value.settings, origin: loaded.value.settingsFrom }
        : resolveSettings([...layers.belowPlan, ...layers.abovePlan])

      if (flags.json) return printJson({ settings, origin }, here, 2)
      const rows = Object.entries(origin).map(([name, from]) => ({
        from,
        ...settingRow(name, valueAt(settings, name)),
      }))
      const nameWidth = widest(rows.map(({ name }) => name))
      const valueWidth = Math.min(MOST_PADDED, widest(rows.map(({ value }) => value)))
      const { dim } = here.outPalette
      const lines = rows.map(({ name, value, from }) => {
        return `${padEnd(name, nameWidth)}  ${padEnd(value, valueWidth)}  ${from === 'default' ? dim(from) : from}`
      })
      return printLines(lines, here)
    },
    { args: ['with the settings of this plan; default: espalier.yaml, where there is one'] },
  ),
}

/** Limit on padding: a long value must not push the next column out of sight. */
const MOST_PADDED = 40

function valueAt(settings: object, name: string): unknown {
  return name.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], settings)
}

export function settingRow(name: string, value: unknown): { name: string; value: string } {
  if (name.endsWith('Ms') && typeof value === 'number') {
    const isOff = value === 0 && name === 'stallAfterMs'
    return { name: name.slice(0, -2), value: isOff ? 'never' : durationSetting(value) }
  }
  return { name, value: typeof value === 'string' ? value : JSON.stringify(value) }
}

/** Exact, in the largest unit that divides it, so that it can be copied into a settings file. */
function durationSetting(ms: number): string {
  const fits = UNITS.find(([, unitMs]) => ms >= unitMs && ms % unitMs === 0)
  return fits ? `${ms / fits[1]}${fits[0]}` : `${ms}ms`
}

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const
