// The package as a person has it: packed as for the registry, and installed into a folder of its own without what only its
// development needs. For the tests of the package and for benchmarks.
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the folder of the installed package. `checkout` needs its dependencies: it is built first. */
export function installPackage(checkout: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  npm(checkout, 'pack', '--silent', '--pack-destination', folder)
  const [file] = globSync('espalier-*.tgz', { cwd: folder })
  if (file === undefined) throw new Error(`npm pack has left nothing in ${folder}`)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  npm(folder, 'install', '--silent', '--omit=dev', '--no-audit', '--no-fund', '--no-package-lock', `./${file}`)
  return join(folder, 'node_modules', 'espalier')
}

function npm(cwd: string, ...args: string[]): void {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}
