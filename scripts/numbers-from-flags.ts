// The numbers that a script takes as flags: `--seeds 100`.
import { orUsage, readFlags } from './read-flags.ts'

export function numbersFromFlags<const T extends Record<string, number>>(script: string, defaults: T) {
  const flags = Object.entries(defaults).map(([name, value]) => `[--${name} ${value}]`)
  const usage = `npm run ${script} -- ${flags.join(' ')}`
  const options = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: 'string' }] as const))
  const { values } = readFlags(usage, { options })
  return orUsage(usage, () => {
    const numbers = Object.entries({ ...defaults, ...values }).map(([name, value]) => [name, wholeNumber(name, value)])
    return Object.fromEntries(numbers) as { [N in keyof T]: number }
  })
}

function wholeNumber(name: string, value: unknown): number {
  if (/^\d+$/.test(String(value))) return Number(value)
  throw new Error(`--${name} takes a whole number, not ${value}`)
}
