// Runs a script with a Node that is new enough: the one at hand if it is, otherwise one from the npm
// registry (about 9 s the first time, cached from then on). Usage: node scripts/node.mjs FILE [ARGS…]
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const wanted = { major: 24, minor: 0 } // the first that can run src/ as it is: types and `using`
const fetched = 'node@24'
const cache = new URL('../node_modules/.cache/', import.meta.url)

const node = newEnough(process.versions.node) ? process.execPath : fetchedNode()
// Kept from one process to the next: what TypeScript becomes without its types, and V8's code for it. Without that every
// test, and every process a test starts, takes half a second longer.
const env = { NODE_COMPILE_CACHE: fileURLToPath(new URL('compiled', cache)), ...process.env }
const flags = ['--disable-warning=ExperimentalWarning', ...process.argv.slice(2)]
const child = spawn(node, flags, { stdio: 'inherit', env })
// The terminal sends Ctrl-C to the whole group: the child answers it, this process only waits.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => {
  if (signal) process.removeAllListeners(signal)
  if (signal) process.kill(process.pid, signal)
  else process.exit(code ?? 1)
})

function newEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > wanted.major || (major === wanted.major && minor >= wanted.minor)
}

function fetchedNode() {
  const note = new URL('node-path', cache)
  if (existsSync(note)) {
    const path = readFileSync(note, 'utf8')
    if (existsSync(path)) return path
  }
  process.stderr.write(
    `Node ${process.versions.node} is older than ${wanted.major}.${wanted.minor}: fetching ${fetched} from the npm registry …\n`,
  )
  const args = ['--yes', '--package', fetched, 'node', '-p', 'process.execPath']
  const found = spawnSync('npx', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
  const path = found.stdout?.trim()
  if (found.status !== 0 || !path) {
    process.stderr.write(
      `Could not fetch ${fetched}. Install Node ${wanted.major}.${wanted.minor} or newer and try again.\n`,
    )
    process.exit(1)
  }
  mkdirSync(cache, { recursive: true })
  writeFileSync(note, path)
  return path
}
