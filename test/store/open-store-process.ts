// Opens a store and prints what is wrong with it. FREE: how many files it may still open then.
// Usage: node open-store-process.ts DATABASE [FREE]
import { closeSync, openSync, writeSync } from 'node:fs'
import { openStore } from '../../src/store/open.ts'

const [path = '', free] = process.argv.slice(2)
await import('../../src/store/store.ts') // needs files itself
const files: number[] = []
try {
  while (free !== undefined) files.push(openSync('/dev/null', 'r'))
} catch {
  for (const file of files.splice(0, Number(free))) closeSync(file)
}
const opened = await openStore(path)
writeSync(1, opened.ok ? 'ok' : JSON.stringify(opened.problems))
