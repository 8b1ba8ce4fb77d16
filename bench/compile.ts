import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** As the package is published: JavaScript, and no TypeScript beside it. */
export function compile(dir: string): string {
  mkdirSync(join(dir, 'bin'), { recursive: true })
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  execFileSync(tsc, ['-p', join(root, 'tsconfig.build.json'), '--outDir', join(dir, 'dist')], { stdio: 'inherit' })
  copyFileSync(join(root, 'package.json'), join(dir, 'package.json'))
  copyFileSync(join(root, 'bin', 'espalier.js'), join(dir, 'bin', 'espalier.js'))
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'))
  return join(dir, 'bin', 'espalier.js')
}
