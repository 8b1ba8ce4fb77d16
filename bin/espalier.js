#!/usr/bin/env node
// The package ships compiled JavaScript; a checkout runs its TypeScript as it is.
import { existsSync } from 'node:fs'
import module from 'node:module'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(`espalier needs Node 22.13 or newer, this is ${process.versions.node}. Try: npx -y -p node@24 -p espalier espalier ${process.argv.slice(2).join(' ')}\n`)
  process.exit(2)
}
module.enableCompileCache?.()
const emit = process.emitWarning
process.emitWarning = (warning, ...rest) => {
  if (!String(warning).includes('SQLite')) emit.call(process, warning, ...rest) // experimental by name only
}
const source = new URL('../src/cli/main.ts', import.meta.url)
const { main } = await import(existsSync(source) ? source.href : new URL('../dist/cli/main.js', import.meta.url).href)
await main(process.argv)
