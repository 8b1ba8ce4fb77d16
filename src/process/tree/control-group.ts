// A control group (cgroup v2) of its own for each supervised command, where this process may make one: root may, and
// so may a user whose session was delegated (systemd's user manager). Its members are the command and everything it
// started, whatever they did to their environment, session and parents; the supervisor stays outside. The kernel
// says whether any are left, and ends all of them in one step. Where it is not permitted all of this does nothing.
// The path is recorded in the command's folder (`group`), because the next engine may live in another part of the
// hierarchy. Groups have no use once they are empty; one that was left behind is removed by a later engine.
// Tolerated races: two commands with one token share a group, and the first to end may remove it just before the
// second one enters (which then runs without, and the record goes).
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { textIn } from '../../files/if-there.ts'
import { HAS_PROC } from './identity.ts'

/** Null: not permitted. */
export function makeGroup(dir: string, token: string): string | null {
  const home = groupHome()
  if (home === null || !TOKEN.test(token)) return null
  const group = join(home, PREFIX + token)
  try {
    mkdirSync(group)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') {
      if (code !== 'EAGAIN') knownHome = null // EAGAIN: as many groups as are allowed, for now
      return null
    }
  }
  try {
    writeFileSync(join(dir, 'group'), group)
    return group
  } catch {
    removeGroup(group)
    return null // no folder or no room: the supervisor will say so
  }
}

/** The group of the command in this folder, or null. Only a name made of its token is believed. */
export function recordedGroup({ dir, token }: { dir: string; token: string }): string | null {
  if (dir === '') return null
  const group = textIn(join(dir, 'group'))
  return basename(group) === PREFIX + token && isGroup(group) ? group : null
}

/** Includes inner groups: an agent may run an engine of its own. */
export function groupMembers(group: string): number[] {
  const own = textIn(join(group, 'cgroup.procs')).split('\n').map(Number)
  return [...own.filter((pid) => pid > 0), ...innerGroups(group).flatMap(groupMembers)]
}

/** The kernel's word, in which no forking process can be missed. */
export function isPopulated(group: string): boolean {
  return textIn(join(group, 'cgroup.events')).includes('populated 1')
}

/** SIGKILL for all members at once (Linux 5.14); elsewhere they get it one by one. */
export function killGroup(group: string): void {
  try {
    writeFileSync(join(group, 'cgroup.kill'), '1', { flag: 'r+' })
  } catch {
    // an older kernel, or the group is gone
  }
}

/** The kernel refuses to remove a group in use. */
export function removeGroup(group: string): void {
  for (const inner of innerGroups(group)) removeGroup(inner)
  try {
    rmdirSync(group)
  } catch {
    // in use, gone, or another user's
  }
}

/** Groups of all attempts on this machine, also of engines that are gone. */
export function listGroups(): { group: string; token: string }[] {
  const found: { group: string; token: string }[] = []
  const look = (parent: string, depth: number) => {
    for (const group of depth < LIMITS.depth ? innerGroups(parent) : []) {
      const name = basename(group)
      if (name.startsWith(PREFIX)) found.push({ group, token: name.slice(PREFIX.length) })
      look(group, depth + 1)
    }
  }
  for (const mount of groupMounts()) look(mount, 0)
  return found
}

const PREFIX = 'espalier-'
const TOKEN = /^[\w-]{8,100}$/

const LIMITS = {
  depth: 20,
  /** A younger empty group may just have been made by another engine. */
  leftoverMs: 60_000,
}

let knownHome: string | null | undefined

/** This process's own group; those of commands are made below it. */
function groupHome(): string | null {
  if (knownHome === undefined) {
    knownHome = findHome()
    if (knownHome) sweep(knownHome)
  }
  return knownHome
}

function findHome(): string | null {
  const own = /^0::(\/.*)$/m.exec(textIn('/proc/self/cgroup'))?.[1]
  const [mount] = groupMounts()
  return own && mount && !own.includes('/..') ? join(mount, own) : null
}

/** The second is beside the older kind. */
const MOUNTS = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified']

let knownMounts: string[] | undefined

function groupMounts(): string[] {
  knownMounts ??= HAS_PROC ? MOUNTS.filter((path) => existsSync(join(path, 'cgroup.procs'))) : []
  return knownMounts
}

function isGroup(path: string): boolean {
  return groupMounts().some((mount) => path.startsWith(`${mount}/`)) && !path.includes('/../')
}

/** Removes groups of engines that were killed and never resumed. */
function sweep(home: string): void {
  for (const group of innerGroups(home)) {
    if (!basename(group).startsWith(PREFIX)) continue
    const made = statSync(group, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - made > LIMITS.leftoverMs) removeGroup(group)
  }
}

function innerGroups(group: string): string[] {
  try {
    const entries = readdirSync(group, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(group, entry.name))
  } catch {
    return []
  }
}
