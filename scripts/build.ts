// npm run build: makes dist/, what the package ships: JavaScript (bundle.ts), types, and what is read as it is.
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.ts'
import { buildDashboard } from './dashboard/build.ts'
import { licences } from './licences.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = `${root}dist`
rmSync(dist, { recursive: true, force: true })
const types = spawnSync(`${root}node_modules/.bin/tsc`, ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
if (types.error) process.stderr.write(`could not start tsc: ${types.error.message}. Run \`npm ci\` first.\n`)
const bundled = await bundle(dist)
cpSync(`${root}src/prompts/templates`, `${dist}/prompts/templates`, { recursive: true })
cpSync(`${root}src/cli/init/search.yaml`, `${dist}/cli/init/search.yaml`)
const isBuilt = buildDashboard()
if (isBuilt) cpSync(`${root}dashboard/dist`, `${dist}/dashboard`, { recursive: true })
const shown = isBuilt ? (JSON.parse(readFileSync(`${dist}/dashboard/packages.json`, 'utf8')) as string[]) : []
for (const file of ['packages.json', 'sources.json']) rmSync(`${dist}/dashboard/${file}`, { force: true })
writeFileSync(`${dist}/LICENSES.txt`, licences([...bundled, ...shown]))
process.exitCode = isBuilt ? (types.status ?? 1) : 1
