// What a folder or a file holds: nothing where it is not there, or may not be read.
import { readdirSync, readFileSync } from 'node:fs'

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

export function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
