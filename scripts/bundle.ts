// The JavaScript that the package ships: a few files instead of some 700, because every file that Node has to find, read and
// compile costs half a millisecond. What the commands have in common comes once; the dependencies are in it, too.
//
//   dist/index.js      the library; client.js: of a server
//   dist/bundle/       one file for each group of commands below, and what the library shares with them
//   dist/programs/     what runs as a process of its own (files/package-file.ts says which)
import * as crypto from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type InputOptions, type OutputChunk, type OutputOptions, type Plugin, rolldown } from 'rolldown'
import { PROGRAMS, type Program } from '../src/files/package-file.ts'
import { staticLoads } from './static-loads.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Modules that the bundler adds for syntax that Node 22 does not have yet. */
const HELPERS = '\0@oxc-project'

/** What `import 'espalier'` loads: no file of the command line may come with it. */
const LIBRARY_FILES = new Set(staticLoads(root, ['src/index.ts']))

/**
 * A file goes with the first group that needs it, so the quick commands come first, and each group only needs those before
 * it. A group of commands is two files: `NAME` with what the library loads, too, and `NAME-command` with the rest.
 */
const GROUPS: Record<string, readonly string[]> = {
  main: [HELPERS, 'src/cli/main.ts'],
  ...twoGroups('base', 'program', ['src/cli/program.ts', 'src/cli/commands/help.ts']),
  ...twoGroups('status', 'status-command', [
    ...['src/cli/inputs/repository.ts', ...commands('status')],
    ...['src/git/run/runner-client.ts', 'src/store/place.ts', 'src/store/postgres/trouble.ts'],
  ]),
  ...twoGroups('look', 'look-command', [
    ...commands('sessions', 'claims', 'trace', 'models', 'expertise', 'cancel', 'completion'),
    ...filesOf('src/cli/task'),
    'src/store/store.ts',
  ]),
  ...twoGroups('plan', 'plan-command', [
    ...commands('plan-check', 'plan-show', 'plan-convert', 'plan-simulate', 'config', 'init'),
    ...['src/cli/plan/dry-run.ts', 'src/workloads/settings/read.ts'],
  ]),
  ...twoGroups('run', 'run-command', [
    ...commands('run', 'resume', 'demo', 'plan-new'),
    ...['src/engine/deliver/land-run.ts', 'src/engine/run/batch-progress-events.ts', 'src/reports/report.ts'],
  ]),
  search: ['src/cli/search/', 'src/workloads/search/'],
  suite: ['src/cli/suite/', 'src/workloads/suite/', 'node_modules/sax/'],
  client: ['src/client.ts', 'src/server/client/', 'src/server/resources/route-paths.ts'],
  serve: [
    'src/server/serve.ts',
    'node_modules/hono/',
    'node_modules/@hono/',
    'node_modules/ws/',
    'node_modules/pino/',
    'node_modules/prom-client/',
  ],
  traces: ['src/reports/traces/', 'node_modules/@opentelemetry/'],
  fleet: [
    ...[
      'src/fleet/',
      'src/cli/commands/server/worker',
      'node_modules/pg-boss/',
      'node_modules/cron-parser/',
      'node_modules/luxon/',
    ],
    ...['node_modules/rrule-temporal/', 'node_modules/serialize-error/'],
  ],
  mcp: ['src/server/mcp/task-manager-tools.ts', 'node_modules/@modelcontextprotocol/'],
  postgres: ['src/store/postgres/'],
  rest: ['src/cli/commands/', 'src/cli/store/'],
}

/** Programs that are started often, and have all they need in one file. */
const ALONE = ['acp-driver', 'claim-hook', 'git-runner'] as const

/** Writes it to `dist`, and returns the files of node_modules that are in it. */
export async function bundle(dist: string): Promise<string[]> {
  const chunks = [await bundleCommands(dist)]
  for (const name of ALONE) chunks.push(await bundleProgram(dist, name))
  const modules = new Set(chunks.flat().flatMap(({ moduleIds }) => moduleIds))
  return [...modules].filter((id) => id.includes('/node_modules/')).sort()
}

async function bundleCommands(dist: string): Promise<OutputChunk[]> {
  const groups = Object.entries(GROUPS).map(([name, files], index) => {
    const starts = files.map((file) => (file === HELPERS ? file : join(root, file)))
    const test = (id: string): boolean => starts.some((start) => id.startsWith(start))
    return { name, test, priority: Object.keys(GROUPS).length - index }
  })
  const input = {
    index: `${LIBRARY}index.ts`,
    client: `${LIBRARY}client.ts`,
    'bundle/command-line': join(root, 'src/cli/main.ts'),
    'programs/plan-check': join(root, PROGRAMS['plan-check']),
  }
  return write(
    { input, plugins: [library] },
    { dir: dist, chunkFileNames: 'bundle/[name].js', codeSplitting: { groups } },
  )
}

async function bundleProgram(dist: string, name: Program): Promise<OutputChunk[]> {
  const input = { [`programs/${name}`]: join(root, PROGRAMS[name]) }
  return write({ input }, { dir: dist, codeSplitting: false })
}

async function write({ plugins = [], ...input }: Build, output: OutputOptions): Promise<OutputChunk[]> {
  await using build = await rolldown({
    cwd: root,
    platform: 'node',
    tsconfig: false,
    // Nothing in src/ is imported for what it does when it is loaded. Without this, naming one function of index.ts would
    // mean all that index.ts knows.
    treeshake: { moduleSideEffects: (id) => (id.includes('/node_modules/') ? undefined : false) },
    transform: {
      target: 'node22.13',
      inject: { 'Intl.Segmenter': [join(root, 'scripts/late-segmenter.ts'), 'LateSegmenter'] },
    },
    resolve: { mainFields: ['module', 'main'] },
    ...input,
    plugins: [lateCrypto, lateWidth, ...plugins],
  })
  const { output: files } = await build.write({
    format: 'esm',
    entryFileNames: '[name].js',
    // Enough for the names and lines in a stack trace. With the text of the files they would be most of the package.
    // The names stay: they stand in stack traces.
    minify: { compress: false, mangle: false },
    sourcemap: true,
    sourcemapExcludeSources: true,
    ...output,
  })
  return files.filter((file) => file.type === 'chunk')
}

type Build = Pick<InputOptions, 'input'> & { plugins?: Plugin[] }

/** Loading node:crypto takes 6 ms, and most commands never come to what they need it for: its functions load it. */
const lateCrypto: Plugin = {
  name: 'late-crypto',
  resolveId: (id) => (id === 'node:crypto' ? { id: LATE_CRYPTO, moduleSideEffects: false } : null),
  load: (id) => {
    if (id !== LATE_CRYPTO) return null
    const functions = Object.entries(crypto).filter(([name, value]) => /^[a-z]/.test(name) && value instanceof Function)
    const module = "process.getBuiltinModule('node:crypto')"
    return functions.map(([name]) => `export const ${name} = (...args) => ${module}.${name}(...args)`).join('\n')
  },
}
const LATE_CRYPTO = '\0late-crypto'

/** Its patterns of emoji take 10 ms when they are loaded, and ASCII needs none of them: a `require` inside loads it. */
const lateWidth: Plugin = {
  name: 'late-string-width',
  resolveId: (id, importer) => (id === 'string-width' && importer !== LATE_WIDTH ? LATE_WIDTH : null),
  load: (id) =>
    id === LATE_WIDTH
      ? "let width; export default (...args) => (width ??= require('string-width').default)(...args)"
      : null,
}
const LATE_WIDTH = '\0late-string-width'

/** An entry counts as needing all it exports: were index.ts one, so would whoever names one function of it. */
const LIBRARY = 'library:'
const library: Plugin = {
  name: 'library',
  resolveId: (id) => (id.startsWith(LIBRARY) ? id : null),
  load: (id) =>
    id.startsWith(LIBRARY) ? `export * from ${JSON.stringify(join(root, 'src', id.slice(LIBRARY.length)))}` : null,
}

/** Some files and all that they load: what the library loads, too, and the rest. */
function twoGroups(shared: string, rest: string, files: readonly string[]): Record<string, readonly string[]> {
  const loaded = staticLoads(root, files)
  return {
    [shared]: loaded.filter((file) => LIBRARY_FILES.has(file)),
    [rest]: loaded.filter((file) => !LIBRARY_FILES.has(file)),
  }
}

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder)).map((name) => `${folder}/${name}`)
}

function commands(...names: string[]): string[] {
  return names.map((name) => `src/cli/commands/${name}.ts`)
}
