// Machines of a fleet, as far as one machine can show them: each has a clone and a state folder of its own, and they share a
// database and a bare repository.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startEspalier } from '../rig/espalier.ts'
import { makeRepository, runGit, type TestRepository } from '../rig/repository.ts'
import { until } from '../rig/until.ts'

export class Machines implements AsyncDisposable {
  readonly repository: TestRepository
  readonly url: string
  readonly #coordinators: Coordinator[] = []

  private constructor(repository: TestRepository, url: string) {
    this.repository = repository
    this.url = url
  }

  /** `plan`: committed as plan.yaml. */
  static async open(url: string, plan: string): Promise<Machines> {
    return new Machines(await makeRepository({ files: { 'plan.yaml': plan } }), url)
  }

  get shared(): string {
    return this.repository.at('shared.git')
  }

  /** A clone on a machine of that name. */
  add(name: string): string {
    const top = this.repository.at(name)
    runGit(this.repository.path, ['clone', '-q', this.repository.top, name])
    for (const [key, value] of [
      ['user.name', name],
      ['user.email', `${name}@example.com`],
    ] as const)
      runGit(top, ['config', key, value])
    return top
  }

  start(top: string, ...args: string[]): Coordinator {
    const places = ['--store', this.url, '--engine-repository', this.shared]
    const coordinator = new Coordinator(startEspalier(top, [...args, ...places]))
    this.#coordinators.push(coordinator)
    return coordinator
  }

  /** Agents of a plan wait for a file of that name. */
  allow(name: string): void {
    writeFileSync(join(this.repository.path, name), '')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const coordinator of this.#coordinators) await coordinator.kill()
    await this.repository[Symbol.asyncDispose]()
  }
}

export class Coordinator {
  readonly child: ChildProcess
  heard = ''

  constructor(child: ChildProcess) {
    this.child = child
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        this.heard += String(chunk)
      })
  }

  async says(what: string | RegExp): Promise<void> {
    const isSaid = () => (typeof what === 'string' ? this.heard.includes(what) : what.test(this.heard))
    const failed = () => new Error(`it ended without saying ${what}:\n${this.heard}`)
    await until(`it says ${what}`, () => {
      if (isSaid()) return true
      if (this.isOver) throw failed()
      return false
    })
  }

  get isOver(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }

  async ended(): Promise<number | null> {
    if (!this.isOver) await once(this.child, 'exit')
    return this.child.exitCode
  }

  async kill(): Promise<void> {
    if (this.isOver) return
    const gone = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await gone
  }
}
