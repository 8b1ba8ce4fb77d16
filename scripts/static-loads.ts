// The source files that Node loads for a command before it does anything: those that its file imports statically, and what
// those import. A file that is loaded by `import('…')` is loaded when it is needed, so it begins a count of its own.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { importsOf } from './imports.ts'

/** The files of `src/` that loading the entries loads, sorted, the entries included. Paths are relative to the root. */
export function staticLoads(root: string, entryFiles: readonly string[]): string[] {
  const loaded = new Set<string>()
  const waiting = [...entryFiles]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file)) continue
    loaded.add(file)
    const folder = dirname(file)
    for (const { specifier, dynamic, typeOnly } of importsOf(readFileSync(join(root, file), 'utf8')))
      if (specifier.startsWith('.') && !dynamic && !typeOnly) waiting.push(posix.join(folder, specifier))
  }
  return [...loaded].sort()
}

/** How many files each command loads, by name, the most first: the entry, the table of commands and the command's file. */
export function loadsOfCommands(root: string): { command: string; files: number }[] {
  const folder = 'src/cli/commands'
  const files = readdirSync(join(root, folder), { recursive: true }) as string[]
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => {
      const loads = staticLoads(root, [...ENTRY, `${folder}/${file}`])
      return { command: file.replace(/\.ts$/, ''), files: loads.length }
    })
    .sort((a, b) => b.files - a.files)
}

/** What runs before the file of a command. */
const ENTRY = ['src/cli/main.ts', 'src/cli/program.ts', 'src/cli/inputs/repository.ts']
