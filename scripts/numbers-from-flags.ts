// The numbers that a script takes as flags: `--seeds 100`. For --help it prints them with their defaults and ends; for a wrong one, too.
import { parseArgs } from 'node:util'

export function numbersFromFlags<const T extends Record<string, number>>(script: string, defaults: T) {
  const flags = Object.entries(defaults).map(([name, value]) => `[--${name} ${value}]`)
  const usage = `npm run ${script} -- ${flags.join(' ')}`
  try {
    const given = Object.keys(defaults).map((name) => [name, { type: 'string' }] as const)
    const { values } = parseArgs({
      options: { ...Object.fromEntries(given), help: { type: 'boolean', short: 'h' } },
    })
    if (values.help) {
      console.log(usage)
      process.exit()
    }
    const numbers = Object.entries({ ...defaults, ...values }).map(([name, value]) => [name, wholeNumber(name, value)])
    return Object.fromEntries(numbers) as { [N in keyof T]: number }
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exit(2)
  }
}

function wholeNumber(name: string, value: unknown): number {
  if (/^\d+$/.test(String(value))) return Number(value)
  throw new Error(`--${name} takes a whole number, not ${value}`)
}
