import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Where a program is found, as a shell would find it; null if it is not. A name with a `/` is a path. */
export function findProgram(name: string, { PATH = '' }: NodeJS.ProcessEnv): string | null {
  const places =
    isAbsolute(name) || name.includes('/') ? [name] : PATH.split(delimiter).map((dir) => join(dir || '.', name))
  return places.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
