// The package as a person has it, of this checkout or of another one.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackage } from '../scripts/install-package.ts'

const HERE = fileURLToPath(new URL('..', import.meta.url))

/** Its command, for Node. */
export function installedHere(scratch: string): string {
  return join(installPackage(HERE, scratch), 'bin', 'espalier.js')
}

/** `checkout` is left as it is: the package is built from a clone, unless it is a folder with an installed one. */
export function installedFrom(checkout: string, scratch: string): string {
  const there = join(checkout, 'node_modules', 'espalier', 'bin', 'espalier.js')
  if (existsSync(there)) return there
  const clone = join(scratch, 'clone')
  execFileSync('git', ['clone', '-q', checkout, clone], { stdio: 'inherit' })
  execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], {
    cwd: clone,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return join(installPackage(clone, join(scratch, 'user')), 'bin', 'espalier.js')
}

/** How long it takes, from the start to the end of the process. */
export function timedCommand(bin: string, args: readonly string[], cwd: string): number {
  // What this process keeps compiled is not what a person has.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const start = performance.now()
  const own = { ...env, HOME: join(cwd, '..'), NO_COLOR: '1' }
  const { status, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd, env: own, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - start
}
