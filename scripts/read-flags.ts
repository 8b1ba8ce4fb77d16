// The flags and words of a script. For --help it prints its usage and ends; for a wrong flag, too.
import { type ParseArgsConfig, parseArgs } from 'node:util'

export function readFlags<const T extends ParseArgsConfig>(usage: string, config: T) {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    console.log(usage)
    process.exit()
  }
  return orUsage(usage, () => parseArgs(config))
}

/** What `read` makes of the flags; where it throws, its message and the usage are printed. */
export function orUsage<T>(usage: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exit(2)
  }
}
