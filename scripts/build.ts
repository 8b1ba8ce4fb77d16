// npm run build: compiles src/ into dist/, the JavaScript and the types that the package ships.
import { spawnSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
rmSync(`${root}dist`, { recursive: true, force: true })
const built = spawnSync(`${root}node_modules/.bin/tsc`, ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
if (built.error) process.stderr.write(`could not start tsc: ${built.error.message}. Run \`npm ci\` first.\n`)
// These are read as they are.
cpSync(`${root}src/prompts/templates`, `${root}dist/prompts/templates`, { recursive: true })
process.exitCode = built.status ?? 1
