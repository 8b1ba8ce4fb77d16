// The disk, for `espalier doctor`: size of the state folder, kept runs, trouble of the last upkeep.
import { accessSync, constants, existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type History, LIMITS } from '../../config.ts'
import { type DiskUse, diskUse } from '../../files/disk-use.ts'
import { listAside, listUnkept } from '../../git/slots/set-aside.ts'
import type { RunSummary } from '../../view.ts'
import type { StateFolder } from '../../workspace/state-folder.ts'
import { historyText, outdated } from '../upkeep/find-removable.ts'
import { howToRemove, howToSave } from '../upkeep/set-aside-worktrees.ts'
import { readUpkeep } from '../upkeep/upkeep-after-run.ts'
import type { DiskPart, DoctorCheck } from './doctor-check.ts'

const LOW_DISK_BYTES = 2 * 1024 ** 3

export async function folderChecks(folder: StateFolder): Promise<DoctorCheck[]> {
  const isThere = existsSync(folder.root)
  const place = isThere ? folder.root : dirname(folder.root)
  try {
    accessSync(place, constants.W_OK)
  } catch {
    const fix = 'name another folder with --state-dir or `stateDir:` in .espalier/config.yaml'
    return [{ name: 'state', state: 'fail', message: `${place} cannot be written`, fix }]
  }
  const parts = await partsOf(folder)
  const { bavail, bsize } = await statfs(place)
  const free = bavail * bsize
  const message = `${folder.root} (${sizeText(sum(parts))} used, ${size(free)} free)`
  const state: DoctorCheck =
    free < LOW_DISK_BYTES
      ? { name: 'state', state: 'warn', message, fix: 'free some disk, or `espalier clean --worktrees`' }
      : { name: 'state', state: 'ok', message }
  if (!isThere) return [state]
  const texts = parts.map((part) => `${part.name} ${sizeText(part)}`)
  return [state, { name: 'disk', state: 'ok', message: texts.join(', '), parts }]
}

export async function historyChecks(
  folder: StateFolder,
  runs: readonly RunSummary[],
  history: History,
): Promise<DoctorCheck[]> {
  const over = runs.filter((run) => !run.resumable)
  if (over.length === 0) return []
  const past = outdated(runs, history, Date.now())
  const parts = await Promise.all(past.map(({ run }) => measured(run, [join(folder.runs, run)])))
  const all = over.length === 1 ? '1 finished run' : `${over.length} finished runs`
  const kept = historyText(history)
  if (past.length === 0) return [{ name: 'history', state: 'ok', message: `${all} (${kept})` }]
  const message = `${all}, ${past.length} can be removed (${sizeText(sum(parts))} of logs; ${kept})`
  return [{ name: 'history', state: 'ok', message, fix: '`espalier clean` removes them, --dry-run shows them', parts }]
}

export async function upkeepChecks(folder: StateFolder): Promise<DoctorCheck[]> {
  const note = await readUpkeep(folder)
  if (note === null) return []
  const { tidyTrouble, removalTrouble } = note
  const fix = 'fix that, then `espalier clean` does it again'
  const warn = (message: string): DoctorCheck => ({ name: 'upkeep', state: 'warn', message, fix })
  return [
    ...(tidyTrouble === null ? [] : [warn(`engine.git could not be tidied up: ${tidyTrouble}`)]),
    ...(removalTrouble === null ? [] : [warn(`old runs could not be removed: ${removalTrouble}`)]),
  ]
}

/** Worktrees that were set aside. `open`: runs that can be resumed, whose worktrees are where they should be. */
export function asideChecks({ root }: StateFolder, open: ReadonlySet<string>): DoctorCheck[] {
  const aside = listAside({ stateDir: root })
  const left = aside.filter(({ work }) => work === null).map(({ path }) => path)
  const unkept = listUnkept({ stateDir: root }).filter(({ path, work }) => {
    return !open.has(work.run) || aside.some((one) => one.path === path)
  })
  const warn = (message: string, fix: string): DoctorCheck => ({ name: 'worktrees', state: 'warn', message, fix })
  return [
    ...left.map((path) => warn(`${path} is left of a worktree that could not be removed`, howToRemove(path))),
    ...unkept.map(({ path, work }) => {
      return warn(`${path} is the worktree of task ${work.task} of run ${work.run}`, howToSave(work))
    }),
  ]
}

async function partsOf(folder: StateFolder): Promise<DiskPart[]> {
  const { root, database } = folder
  // These are mostly empty.
  const sometimes = [await measured('resolving', [folder.resolving]), await measured('planning', [folder.planning])]
  return [
    await measured('worktrees', [join(root, 'slots')]),
    await measured('logs', [folder.runs]),
    await measured('engine.git', [join(root, 'engine.git')]),
    await measured('database', [database, `${database}-wal`, `${database}-shm`]),
    await measured('reports', [folder.reports]),
    ...sometimes.filter(({ bytes }) => bytes > WORTH_TELLING_BYTES),
  ]
}

const WORTH_TELLING_BYTES = 64 * 1024

async function measured(name: string, paths: [string, ...string[]]): Promise<DiskPart> {
  const uses = await Promise.all(paths.map((path) => diskUse(path, LIMITS.countedFiles)))
  return { name, path: paths[0], ...sum(uses) }
}

function sum(uses: readonly DiskUse[]): DiskUse {
  return {
    bytes: uses.reduce((all, { bytes }) => all + bytes, 0),
    complete: uses.every(({ complete }) => complete),
  }
}

function sizeText({ bytes, complete }: DiskUse): string {
  return complete ? size(bytes) : `more than ${size(bytes)}`
}

function size(bytes: number): string {
  const megabytes = bytes / 1024 ** 2
  if (megabytes < 10) return `${Math.round(megabytes * 10) / 10} MB`
  if (bytes < 1024 ** 3) return `${Math.round(megabytes)} MB`
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`
}
