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
  'client.ts',
  'cli',
] as const

/** Settings and help texts follow from them. */
const AGENT_FACTS = /^src\/agents\/(?:list|facts|[a-z]+\/facts)\.ts$/

/** A folder with more files than this has more than one idea. */
const MOST_FILES = 27

/** What programs import: `espalier` and `espalier/client`. */
const LIBRARY = ['src/index.ts', 'src/client.ts']

/**
 * A layer listed here sees only these layers and files, and itself. The command line asks the engine for everything: how tasks
 * are scheduled, agents started, commits made and rows stored is none of its business.
 */
const SEES_ONLY: Record<string, readonly string[]> = {
  cli: [
    ...['vocabulary', 'text', 'facts', 'files', 'async', 'workloads', 'workspace'],
    ...LAYERS.filter((layer) => layer.startsWith('engine/') && layer !== 'engine/run'),
    ...['reports', 'fleet', 'server'],
    ...['src/engine/run/run.ts', 'src/engine/run/run-result.ts', 'src/engine/run/event-feed.ts'],
    ...[
      'src/engine/query/agent-sessions.ts',
      'src/agents/agents-by-name.ts',
      'src/store/open.ts',
      'src/store/place.ts',
    ],
    ...['src/scheduler/claims/held-by-people.ts', 'src/scheduler/apply/replan.ts', 'src/process/program.ts'],
    ...['src/git/engine/sample-repository.ts', 'src/git/run/runner-client.ts', 'src/git/run/machine-trouble.ts'],
  ],
}

/** What is behind a seam is seen only inside the layer of that seam: `openStore` is the way to it. */
const BEHIND_A_SEAM = ['src/store/sqlite/', 'src/store/postgres/']

export type Violation = { file: string; line: number | null; message: string }

type Edge = { from: string; to: string; line: number }

export function checkLayers(root: string): Violation[] {
  const files = sourceFiles(root)
  const edges = files.flatMap((file) => edgesOf(root, file))
  return [
    ...files.filter((file) => rank(layerOf(file)) < 0).map(unknownFolder),
    ...crowded(files),
    ...edges.flatMap((edge) => forbidden(edge) ?? []),
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
    .map(({ specifier, line }) => ({ from: file, to: posix.join(dirname(file), specifier), line }))
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

function forbidden({ from, to, line }: Edge): Violation | null {
  if (!to.startsWith('src/')) return { file: from, line, message: `src/ may not import ${to} (it is outside src/)` }
  const [importer, imported] = [layerOf(from), layerOf(to)]
  if (importer === imported || rank(importer) < 0 || rank(imported) < 0) return null
  if (BEHIND_A_SEAM.some((folder) => to.startsWith(folder)))
    return { file: from, line, message: `${name(importer)} may not import ${to} (only ${name(imported)} may)` }
  const only = SEES_ONLY[importer]
  if (only && !only.includes(imported) && !only.includes(to))
    return {
      file: from,
      line,
      message: `${name(importer)} may not import ${to} (SEES_ONLY in scripts/layers.ts lists what it may)`,
    }
  if (rank(imported) < rank(importer)) return null
  const why = `${name(imported)} comes after ${name(importer)} in the order of the layers`
  return { file: from, line, message: `${name(importer)} may not import ${name(imported)} (${why})` }
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
