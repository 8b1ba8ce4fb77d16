// The package, installed once for the tests of a file, and its command in a repository of their own.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackage } from '../../scripts/install-package.ts'
import { type Said, said } from '../rig/espalier.ts'
import { makeRepository, type TestRepository } from '../rig/repository.ts'

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))

export class Installed implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'espalier-package-'))
  /** Of the package. */
  readonly top = installPackage(CHECKOUT, join(this.folder, 'user'))
  readonly bin = join(this.top, 'bin', 'espalier.js')
  readonly home = join(this.folder, 'home')
  /** Beside node_modules, where a program that uses the library lies. */
  readonly user = join(this.folder, 'user')

  constructor() {
    mkdirSync(this.home)
  }

  espalier(cwd: string, args: string[], node = process.execPath): Promise<Said> {
    return this.node(cwd, [this.bin, ...args], node)
  }

  node(cwd: string, args: string[], node = process.execPath): Promise<Said> {
    return said(spawn(node, args, { cwd, env: this.env, stdio: ['ignore', 'pipe', 'pipe'] }))
  }

  /** None of the checkout's: not its compiled code either. */
  get env(): Record<string, string> {
    const { PATH = '' } = process.env
    return { PATH, HOME: this.home, TMPDIR: this.folder, GIT_CONFIG_GLOBAL: '/dev/null', NO_COLOR: '1' }
  }

  /** With these settings, which are not part of what is committed. */
  async repository(settings: object = {}): Promise<TestRepository> {
    const repository = await makeRepository()
    mkdirSync(join(repository.top, '.espalier'))
    writeFileSync(join(repository.top, '.espalier', 'config.yaml'), JSON.stringify(settings))
    return repository
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
