// A process that supervises a command, as an engine does, and can be killed.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '../rig/until.ts'
import type { SuperviseSpec } from './rig.ts'
import { BOUNDS, type Rig } from './rig.ts'

export type Engine = {
  process: ChildProcessByStdio<Writable, Readable, null>
  /** Of the supervisor. */
  pid: number
  tell(word: 'stop' | 'release'): void
  /** The next line it says. */
  line(): Promise<string>
}

export type EngineOptions = { uid?: number; spec?: Partial<SuperviseSpec> }

export async function startEngine(
  t: TestContext,
  rig: Rig,
  command: string,
  more: EngineOptions = {},
): Promise<Engine> {
  const { dir, cwd, token } = rig
  const env = { PATH: process.env.PATH ?? '' }
  const argv = ['sh', '-c', command]
  const spec = { ...BOUNDS, dir, cwd, argv, token, stdin: null, stderr: 'merge', env, ...more.spec }
  const script = fileURLToPath(new URL('engine-puppet.ts', import.meta.url))
  const args = [script, JSON.stringify(spec), ...(more.uid === undefined ? [] : [String(more.uid)])]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => String((await lines.next()).value)
  const tell: Engine['tell'] = (word) => void child.stdin.write(`${word}\n`)
  return { process: child, pid: Number(await line()), tell, line }
}

/** The command must begin with `echo one`. Returns the pid of its supervisor. */
export async function startAndKillEngine(
  t: TestContext,
  rig: Rig,
  command: string,
  more?: EngineOptions,
): Promise<number> {
  const engine = await startEngine(t, rig, command, more)
  await until('the first output', () => rig.text().startsWith('one\n'))
  engine.process.kill('SIGKILL')
  await once(engine.process, 'exit')
  return engine.pid
}
