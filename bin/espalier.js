#!/usr/bin/env node
// The package ships a bundle; a checkout runs its TypeScript as it is, where Node can do that.
import { existsSync } from 'node:fs'
import module from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
const atLeast = (wantedMajor, wantedMinor) => major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
const source = new URL('../src/cli/main.ts', import.meta.url)
const bundle = new URL('../dist/bundle/command-line.js', import.meta.url)
const entry = existsSync(source) && atLeast(24, 0) ? source : bundle

if (!atLeast(22, 13)) leave(`espalier needs Node 22.13 or newer, this is ${process.versions.node}`)
if (!existsSync(entry))
  leave(`Node ${process.versions.node} cannot run TypeScript as it is: \`npm run build\` first, or`)
module.enableCompileCache?.(cacheFolder())
if (process.env.ESPALIER_DEBUG) process.setSourceMapsEnabled(true) // reading them takes longer than the program
// Zod compiles each schema when it is first used: 10 ms in all, and 20,000 events are checked as fast without.
globalThis.__zod_globalConfig = { jitless: true }
quiet('SQLite') // experimental by name only on Node 22, and its warning would stand in the middle of a status
const { main } = await import(entry.href)
await main(process.argv)

/** Of the user. Node's own choice is gone after a restart, and is the folder of whoever on this machine came first. */
function cacheFolder() {
  const { XDG_CACHE_HOME: cache, HOME: home } = process.env
  return cache ? `${cache}/espalier` : home ? `${home}/.cache/espalier` : undefined
}

function quiet(word) {
  const emit = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).includes(word)) emit.call(process, warning, ...rest)
  }
}

function leave(why) {
  const again = ['npx -y -p node@24 node', ...process.argv.slice(1)].join(' ')
  process.stderr.write(`${why}. Try: ${again}\n`)
  process.exit(2)
}
