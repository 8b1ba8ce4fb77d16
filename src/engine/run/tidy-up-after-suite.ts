// What a suite leaves on the disk, kept small: worktrees of failed entries beyond their number, and the pool where the suite wants
// it gone. At the end of a run, before the lock is given back. Trouble is told to nobody: it fails no suite.
import { existsSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { LIMITS } from '../../config.ts'
import { diskUse } from '../../files/disk-use.ts'
import { removeTree } from '../../files/remove-tree.ts'
import { listSlots } from '../../git/engine/inventory.ts'
import { removeSlot } from '../../git/slots/pool.ts'
import { attemptFolder, type StateFolder } from '../../workspace/state-folder.ts'
import type { RunContext } from './run-context.ts'

export async function tidySuite({ plan, folder, engine }: RunContext): Promise<void> {
  const { suite } = plan
  if (!suite) return
  try {
    await removeKept(folder, suite.keepFailed)
    if (!suite.cleanup) return
    for (const { slot } of await listSlots(engine)) await removeSlot(slot)
  } catch {
    // The next run, or `espalier clean`, comes to it.
  }
}

/** The newest stay, of all suites together, as long as there is room for them. */
async function removeKept(folder: StateFolder, most: number): Promise<void> {
  const found = (await keptWorktrees(folder)).sort((a, b) => b.at - a.at)
  let bytes = 0
  for (const [n, { path }] of found.entries()) {
    bytes += n < most ? (await diskUse(path)).bytes : 0
    if (n >= most || bytes > LIMITS.keptBytes) await removeTree(path)
  }
}

async function keptWorktrees(folder: StateFolder): Promise<{ path: string; at: number }[]> {
  const found: { path: string; at: number }[] = []
  for (const run of await readdir(folder.runs).catch(() => []))
    for (const task of await readdir(join(folder.runs, run)).catch(() => []))
      for (const attempt of await readdir(join(folder.runs, run, task)).catch(() => [])) {
        const { kept } = attemptFolder(folder, run, task, Number(attempt))
        if (existsSync(kept)) found.push({ path: kept, at: statSync(kept).ctimeMs })
      }
  return found
}
