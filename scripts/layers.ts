// The order of the folders of src/, made enforceable: a folder imports only from those before it, and no two files
// import each other, not even by a detour. Types count too: they are how a layer comes to know another.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { importsOf } from './imports.ts'

/**
 * From the bottom up. `vocabulary` is every file directly in src/ but the library, and what is known of agents without their
 * code; engine/ has an order of its rooms too.
 */
export const LAYERS = [
  'vocabulary',
  'text',
  'facts',
  'files',
  'async',
  'scheduler',
  'workloads',
  'process',
  'git',
  'agents',
  'prompts',
  'store',
  'learning',
  'workspace',
  'attempt',
  'landing',
  'engine/plan-file',
  'engine/history',
  'engine/expertise',
  'engine/resolve',
  'engine/upkeep',
  'engine/run',
  'engine/open',
  'engine/suite',
  'engine/query',
  'engine/deliver',
  'engine/doctor',
  'engine/planning',
  'engine/requests',
  'reports',
  'fleet',
  'server',
  'index.ts',
  'internal.ts',
  'client.ts',
  'cli',
] as const

/** Settings and help texts follow from them. */
const AGENT_FACTS = /^src\/agents\/(?:list|facts|[a-z]+\/facts)\.ts$/

/** A folder with more files than this has more than one idea. */
const MOST_FILES = 27

/** What others may use: everybody (`espalier`, `espalier/client`), and the command line (`espalier/internal`). */
const LIBRARY = ['src/index.ts', 'src/internal.ts', 'src/client.ts']

/**
 * A layer listed here sees only these, itself, and what the library exports: the command line can do nothing that a
 * program cannot. It may name the file behind an export directly, because loading all of the library for `status` is
 * slow. Tolerated: which names are used of a file that is loaded by `import('…')` is not looked at.
 */
const SEES_ONLY: Record<string, readonly string[]> = {
  cli: ['vocabulary', 'text', 'facts', 'files', 'async', 'index.ts', 'internal.ts', 'client.ts'],
}

/** What is behind a seam is seen only inside the layer of that seam: `openStore` is the way to it. */
const BEHIND_A_SEAM = ['src/store/sqlite/', 'src/store/postgres/']

export type Violation = { file: string; line: number | null; message: string }

type Edge = { from: string; to: string; line: number; names: string[] | null; dynamic: boolean }

export function checkLayers(root: string): Violation[] {
  const files = sourceFiles(root)
  const edges = files.flatMap((file) => edgesOf(root, file))
  const exported = exportsOf(edges)
  return [
    ...files.filter((file) => rank(layerOf(file)) < 0).map(unknownFolder),
    ...crowded(files),
    ...edges.flatMap((edge) => forbidden(edge, exported) ?? []),
    ...cycles(files, edges),
  ]
}

/** `src/git/x.ts:3: git/ may not import engine/ (…)` */
export function formatViolation({ file, line, message }: Violation): string {
  return line === null ? `${file}: ${message}` : `${file}:${line}: ${message}`
}

function sourceFiles(root: string): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

function edgesOf(root: string, file: string): Edge[] {
  return importsOf(readFileSync(join(root, file), 'utf8'))
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, ...rest }) => ({ from: file, to: posix.join(dirname(file), specifier), ...rest }))
}

/** What the library exports of each file; null: all of it. */
type Exported = ReadonlyMap<string, readonly string[] | null>

function exportsOf(edges: Edge[]): Exported {
  const exported = new Map<string, string[] | null>()
  for (const { from, to, names } of edges) {
    if (!LIBRARY.includes(from)) continue
    const known = exported.get(to) ?? []
    exported.set(to, names === null || exported.get(to) === null ? null : [...known, ...names])
  }
  return exported
}

function layerOf(file: string): string {
  if (AGENT_FACTS.test(file)) return 'vocabulary'
  const [, first = '', ...rest] = file.split('/')
  if (first === 'engine' && rest.length > 1) return `engine/${rest[0]}`
  if (rest.length > 0) return first
  return LIBRARY.includes(file) ? first : 'vocabulary'
}

function rank(layer: string): number {
  return (LAYERS as readonly string[]).indexOf(layer)
}

function crowded(files: string[]): Violation[] {
  const folders = [...Map.groupBy(files, dirname)].filter(([, inside]) => inside.length > MOST_FILES)
  return folders.map(([file, { length }]) => {
    return { file, line: null, message: `${length} files in one folder, and ${MOST_FILES} are allowed: make rooms` }
  })
}

function unknownFolder(file: string): Violation {
  const message = `${layerOf(file)}/ is not a folder of the design: add it to LAYERS in scripts/layers.ts or move the file`
  return { file, line: null, message }
}

function forbidden(edge: Edge, exported: Exported): Violation | null {
  const { from, to, line } = edge
  if (!to.startsWith('src/')) return { file: from, line, message: `src/ may not import ${to} (it is outside src/)` }
  const [importer, imported] = [layerOf(from), layerOf(to)]
  if (importer === imported || rank(importer) < 0 || rank(imported) < 0) return null
  if (BEHIND_A_SEAM.some((folder) => to.startsWith(folder)))
    return { file: from, line, message: `${name(importer)} may not import ${to} (only ${name(imported)} may)` }
  const only = SEES_ONLY[importer]
  if (only && !only.includes(imported)) {
    const message = hidden(edge, exported.get(to), only)
    if (message !== null) return { file: from, line, message: `${name(importer)} may not import ${message}` }
  }
  if (rank(imported) < rank(importer)) return null
  const why = `${name(imported)} comes after ${name(importer)} in the order of the layers`
  return { file: from, line, message: `${name(importer)} may not import ${name(imported)} (${why})` }
}

function hidden(
  { to, names, dynamic }: Edge,
  exported: readonly string[] | null | undefined,
  only: readonly string[],
): string | null {
  if (exported === undefined) return `${to} (only ${only.join(', ')} and what the library exports from)`
  if (exported === null || dynamic) return null
  if (names === null) return `all of ${to} (only what the library exports)`
  const missing = names.filter((name) => !exported.includes(name))
  return missing.length === 0 ? null : `${missing.join(', ')} from ${to} (only what the library exports)`
}

function name(layer: string): string {
  return layer === 'vocabulary' ? 'the vocabulary' : layer.endsWith('.ts') ? layer : `${layer}/`
}

/** One violation per cycle met by a depth-first walk, named by its path. */
function cycles(files: string[], edges: Edge[]): Violation[] {
  const imports = Map.groupBy(edges, (edge) => edge.from)
  const state = new Map<string, 'open' | 'done'>()
  const found: Violation[] = []
  const path: string[] = []
  const visit = (file: string): void => {
    state.set(file, 'open')
    path.push(file)
    for (const { to, line } of imports.get(file) ?? []) {
      if (state.get(to) === 'open') {
        const cycle = [...path.slice(path.indexOf(to)), to]
        found.push({ file, line, message: `import cycle: ${cycle.join(' → ')}` })
      } else if (!state.has(to)) visit(to)
    }
    path.pop()
    state.set(file, 'done')
  }
  for (const file of files) if (!state.has(file)) visit(file)
  return found
}
