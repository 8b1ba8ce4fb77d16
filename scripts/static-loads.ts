// The source files that Node loads for a command before it does anything: those that its file imports statically, and those that
// they import. A file behind `import('…')` is loaded when it is needed, and does not count.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { importsOf } from './imports.ts'

/** The files of `src/` that loading the entries loads, the entries included, sorted. Paths are relative to the root. */
export function staticLoads(root: string, entryFiles: readonly string[]): string[] {
  const loaded = new Set<string>()
  const waiting = [...entryFiles]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (loaded.has(file)) continue
    loaded.add(file)
    for (const { to, typeOnly, dynamic } of localImports(root, file)) if (!typeOnly && !dynamic) waiting.push(to)
  }
  return [...loaded].sort()
}

/** How many files `espalier NAME` loads, NAME a file of src/cli/commands/; zero where there is none, as in a tree for a test. */
export function loadsOf(root: string, name: string): number {
  const file = `src/cli/commands/${name}.ts`
  return existsSync(join(root, file)) ? staticLoads(root, [...ENTRY, file]).length : 0
}

/** Loaded for every command. */
const ENTRY = ['src/cli/main.ts', 'src/cli/program.ts', 'src/cli/inputs/repository.ts']

function localImports(root: string, file: string) {
  return importsOf(readFileSync(join(root, file), 'utf8'))
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map((one) => ({ ...one, to: posix.join(dirname(file), one.specifier) }))
}
