// Reads a folder or a file; one that is missing or may not be read is empty.
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
