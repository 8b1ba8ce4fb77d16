// A folder and a token for one supervised command, and what is left of both when the test ends.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { listChunks } from '../../src/process/supervise/read-output.ts'
import { type Supervised, supervise } from '../../src/process/supervise/supervise.ts'
import { makeGroup, recordedGroup, removeGroup } from '../../src/process/tree/control-group.ts'
import { endTree } from '../../src/process/tree/end-tree.ts'
import { processIdentity } from '../../src/process/tree/identity.ts'
import { findSupervisor, findTree } from '../../src/process/tree/tree.ts'
import { until } from '../rig/until.ts'

export type SuperviseSpec = Parameters<typeof supervise>[0]

export type Rig = {
  dir: string
  cwd: string
  token: string
  path(name: string): string
  run(argv: string[], more?: Partial<SuperviseSpec>): Supervised
  /** A shell command. */
  sh(command: string, more?: Partial<SuperviseSpec>): Supervised
  text(stream?: 'output' | 'errors'): string
  /** Processes that carry the token or hang on one that does. */
  processes(): number[]
  assertNothingLeft(): Promise<void>
}

/** Whether this process may make control groups. */
export const canGroup = tryGroup()

/** Starts a process that has no token, a session of its own, and no parent; its pid is in `escaped`. */
export const ESCAPE = `env -i PATH="$PATH" setsid sh -c '(setsid sh -c "\
  trap "" TERM; echo \\$\\$ > escaped; while :; do sleep 0.05; done" >/dev/null 2>&1 &)'`

export const BOUNDS = { chunkBytes: 1 << 20, maxBytes: 8 << 20, graceMs: 5_000 }

/** 'ungrouped': as where control groups are not permitted; a token that makes no name of a group sees to that. */
export function rig(t: TestContext, kind: 'grouped' | 'ungrouped' = 'grouped'): Rig {
  const root = mkdtempSync(join(tmpdir(), 'espalier-process-'))
  const dir = mkdtempSync(join(root, 'attempt '))
  const cwd = mkdtempSync(join(root, 'work '))
  const token = randomUUID() + (kind === 'grouped' ? '' : '.')
  const tree = { dir, token, supervisor: null }
  t.after(async () => {
    await endTree(tree, 0)
    const group = recordedGroup(tree)
    if (group) removeGroup(group)
    rmSync(root, { recursive: true, force: true })
  })
  const run: Rig['run'] = (argv, more = {}) =>
    supervise({
      ...BOUNDS,
      ...{ dir, cwd, argv, token, stdin: null, stderr: 'merge', env: { PATH: process.env.PATH ?? '' } },
      ...more,
    })
  return {
    dir,
    cwd,
    token,
    path: (name) => join(cwd, name),
    run,
    sh: (command, more) => run(['sh', '-c', command], more),
    text: (stream = 'output') =>
      listChunks(dir, stream)
        .map((chunk) => readFileSync(chunk.path, 'utf8'))
        .join(''),
    processes: () => findTree(tree).map(({ pid }) => pid),
    async assertNothingLeft() {
      assert.deepEqual(findTree(tree), [])
      // The supervisor says how the command ended, and only then ends itself.
      await until('the end of the supervisor', () => findSupervisor(tree).length === 0)
    },
  }
}

/** Bytes written in all, and those still there. */
export function outputSize(dir: string): { bytes: number; keptBytes: number } {
  const chunks = listChunks(dir, 'output')
  const [first, last] = [chunks[0], chunks.at(-1)]
  const bytes = first && last ? last.index * first.bytes + last.bytes : 0
  return { bytes, keptBytes: chunks.reduce((sum, chunk) => sum + chunk.bytes, 0) }
}

/** The process that wrote its number into this file, once it has. */
export function pidIn(path: string): number | null {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return text.endsWith('\n') ? Number(text) : null
}

export function isRunning(pid: number): boolean {
  return processIdentity(pid) !== null
}

function tryGroup(): boolean {
  const dir = mkdtempSync(join(tmpdir(), 'espalier-process-'))
  const group = makeGroup(dir, randomUUID())
  if (group) removeGroup(group)
  rmSync(dir, { recursive: true })
  return group !== null
}
