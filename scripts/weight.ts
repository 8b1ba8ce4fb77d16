// What the source weighs, against a budget: `npm run lint` prints it and fails above it. A change that needs more raises the
// figure here and states the reason in its commit.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { blanked, importsOf } from './imports.ts'
import { loadsOf } from './static-loads.ts'

/** At most so much of each. */
export const BUDGET = {
  lines: 66_100,
  exports: 2_425,
  'named types': 880,
  'exports that only tests use': 0,
  'type names of two files': 5,
  'files loaded by cancel': 90,
  'files loaded by run': 210,
} as const

type Measure = keyof typeof BUDGET

export type Weight = {
  figures: Record<Measure, number>
  folders: { folder: string; lines: number; files: number }[]
  /** `file: name`, for the measures that can be looked up. */
  onlyInTests: string[]
  ofTwoFiles: string[]
}

type Source = { file: string; lines: number; exported: string[]; types: string[]; namedTypes: number }

/** Whose imports count as use. The library's own files are used by everybody, and bin/espalier.js loads main.ts by its address. */
const USERS = ['src', 'dashboard/src', 'scripts', 'bench', 'bin', 'docs/examples', 'examples']
const ENTRIES = new Set(['src/index.ts', 'src/internal.ts', 'src/client.ts', 'src/cli/main.ts'])

export function measureWeight(root: string): Weight {
  const sources = filesIn(root, 'src').map((file) => sourceOf(root, file))
  const onlyInTests = unusedExports(root, sources)
  const ofTwoFiles = repeated(sources.flatMap(({ types }) => types))
  const sum = (of: (source: Source) => number) => sources.reduce((total, source) => total + of(source), 0)
  return {
    figures: {
      lines: sum(({ lines }) => lines),
      exports: sum(({ exported }) => exported.length),
      'named types': sum(({ namedTypes }) => namedTypes),
      'exports that only tests use': onlyInTests.length,
      'type names of two files': ofTwoFiles.length,
      'files loaded by cancel': loadsOf(root, 'cancel'),
      'files loaded by run': loadsOf(root, 'run'),
    },
    folders: byFolder(sources),
    onlyInTests,
    ofTwoFiles,
  }
}

/** A line for each figure above its budget; none: the source is light enough. */
export function overBudget({ figures }: Weight): string[] {
  return measures().flatMap((name) =>
    figures[name] > BUDGET[name]
      ? [`${figures[name]} ${name}: the budget in scripts/weight.ts is ${BUDGET[name]}`]
      : [],
  )
}

export function formatWeight({ figures, folders }: Weight): string {
  const rooms = folders.map(({ folder, lines, files }) => `${folder} ${lines} (${files})`)
  const totals = measures().map((name) => `${figures[name]} of ${BUDGET[name]} ${name}`)
  return `src/: ${totals.join(', ')}\nlines (files): ${rooms.join(', ')}`
}

function measures(): Measure[] {
  return Object.keys(BUDGET) as Measure[]
}

function filesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'),
    )
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

function sourceOf(root: string, file: string): Source {
  const code = readFileSync(join(root, file), 'utf8')
  const blank = blanked(code)
  const declared = [
    ...blank.matchAll(/^export (?:async |abstract )*(function\*?|const|let|class|type|interface) (\w+)/gm),
  ]
  const listed = [...blank.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').flatMap((name) => /(\w+)\s*$/.exec(name)?.[1] ?? []),
  )
  return {
    file,
    lines: code.split('\n').length - 1,
    exported: [...declared.flatMap(([, , name]) => name ?? []), ...listed],
    types: declared.flatMap(([, kind, name]) => (kind === 'type' || kind === 'interface' ? (name ?? []) : [])),
    namedTypes: blank.match(/^(?:export )?(?:type|interface) \w/gm)?.length ?? 0,
  }
}

/**
 * `file: name` of every export that neither the program nor its scripts import by name. Of a file behind `import('…')` the names
 * are used that are words of the importing file.
 */
function unusedExports(root: string, sources: Source[]): string[] {
  const exportsOf = new Map(sources.map(({ file, exported }) => [file, exported]))
  const used = new Set<string>()
  for (const file of USERS.flatMap((folder) => filesIn(root, folder))) {
    const code = readFileSync(join(root, file), 'utf8')
    const words = new Set(blanked(code).match(/\w+/g))
    for (const { specifier, names, dynamic } of importsOf(code)) {
      if (!specifier.startsWith('.')) continue
      const from = posix.join(dirname(file), specifier)
      const taken = dynamic ? exportsOf.get(from)?.filter((name) => words.has(name)) : (names ?? ['*'])
      for (const name of taken ?? []) used.add(`${from}: ${name}`)
    }
  }
  return sources
    .filter(({ file }) => !ENTRIES.has(file) && !used.has(`${file}: *`))
    .flatMap(({ file, exported }) => exported.map((name) => `${file}: ${name}`))
    .filter((name) => !used.has(name))
}

function repeated(names: string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) < index))].sort()
}

function byFolder(sources: Source[]): Weight['folders'] {
  const folders = Map.groupBy(sources, ({ file }) => (file.split('/').length > 2 ? (file.split('/')[1] ?? '') : '*.ts'))
  return [...folders].map(([folder, files]) => ({
    folder,
    lines: files.reduce((total, { lines }) => total + lines, 0),
    files: files.length,
  }))
}
