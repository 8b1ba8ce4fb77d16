// Files of an attempt besides its work: artifacts and JUnit XML, copied beside its logs before the worktree is used
// again (never through a link, which may lead anywhere); the worktree of a failed entry of a suite; the ideas of a
// search.
import { existsSync } from 'node:fs'
import { copyFile, lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import picomatch from 'picomatch'
import { LIMITS } from '../config.ts'
import type { AttemptResult } from '../event.ts'
import { type FoundFile, filesLike } from '../files/files-like.ts'
import { isRealFolder } from '../files/refuse-symlinks.ts'
import type { Slot } from '../git/slots/slot.ts'
import type { Idea } from '../search-definition.ts'
import type { Task } from '../task.ts'
import { safeText } from '../text/safe.ts'
import type { AttemptFolder } from '../workspace/state-folder.ts'
import type { SearchOrder } from './attempt-order.ts'

/** Null: none. Errors are ignored: an attempt does not fail for want of an artifact. */
export async function collectResult(
  { artifacts = [], junit = [] }: Pick<Task, 'artifacts' | 'junit'>,
  worktree: string,
  folder: AttemptFolder,
): Promise<AttemptResult | null> {
  const own = (await readdir(folder.files).catch(() => [])).filter((name) => /^junit.*\.xml$/i.test(name))
  if (artifacts.length + junit.length + own.length === 0) return null
  const wanted = [...artifacts, ...junit]
  const found = wanted.length > 0 ? await filesLike(worktree, wanted, MOST_FOUND) : []
  const isJunit = junit.length > 0 ? picomatch(junit, { dot: true }) : () => false
  const isArtifact = artifacts.length > 0 ? picomatch(artifacts, { dot: true }) : () => false
  const reports = found.filter(({ path }) => isJunit(path))
  for (const { path } of reports) await copied(join(worktree, path), join(folder.junit, path))
  for (const name of own) await copied(join(folder.files, name), join(folder.junit, name))
  const kept = await keepArtifacts(
    found.filter(({ path }) => isArtifact(path)),
    worktree,
    folder,
  )
  const texts = [...reports.map(({ path }) => path), ...own].map((name) => join(folder.junit, name))
  const cases = texts.length > 0 ? await casesIn(texts) : []
  const counts = cases.length > 0 ? (await import('../workloads/suite/junit.ts')).junitCounts(cases) : null
  return {
    ...(counts ? { counts } : {}),
    ...(kept.length > 0 ? { artifacts: kept } : {}),
  }
}

async function keepArtifacts(files: FoundFile[], worktree: string, folder: AttemptFolder): Promise<string[]> {
  const kept: string[] = []
  let bytes = 0
  for (const { path, size } of files) {
    bytes += size
    if (kept.length === LIMITS.artifactFiles || bytes > LIMITS.artifactBytes) break
    if (await copied(join(worktree, path), join(folder.artifacts, path))) kept.push(join('artifacts', path))
  }
  return kept
}

/** Cases of JUnit XML files; files that are too large, gone or broken have none. */
export async function casesIn(files: readonly string[]) {
  const { readJunit } = await import('../workloads/suite/junit.ts')
  const texts = await Array.fromAsync(files, smallText)
  return texts.flatMap((text) => (text !== null && readJunit(text)?.cases) || [])
}

/** Null: too large, or gone. */
async function smallText(path: string): Promise<string | null> {
  try {
    const { size } = await lstat(path)
    return size > LIMITS.junitBytes ? null : await readFile(path, 'utf8')
  } catch {
    return null
  }
}

async function copied(from: string, to: string): Promise<boolean> {
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    await copyFile(from, to)
    return true
  } catch {
    return false
  }
}

const MOST_FOUND = 10_000

/**
 * Takes the worktree of a failed entry out of the pool, for a person to look at; the slot gets a new one. Errors are
 * ignored.
 */
export async function keepWorktree(slot: Slot, folder: AttemptFolder): Promise<void> {
  if (existsSync(folder.kept) || !isRealFolder(slot.path)) return
  await rename(slot.path, folder.kept).catch(() => {})
}

/** Undoes it for an engine that takes the attempt up, because nobody heard of its end. */
export async function takeBackWorktree(slot: Slot, folder: AttemptFolder): Promise<void> {
  if (existsSync(folder.kept) && !existsSync(slot.path)) await rename(folder.kept, slot.path)
}

/** Each attempt has a copy of its own, so a change reaches no other. */
export async function prepareIdeas(search: SearchOrder | null, folder: AttemptFolder): Promise<void> {
  if (search?.role === 'step') {
    const file = folder.idea(search.idea.path)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, search.idea.text, { mode: 0o600 })
  }
  if (search?.role === 'propose') {
    await rm(folder.ideas, { recursive: true, force: true })
    await mkdir(folder.ideas, { recursive: true, mode: 0o700 })
  }
}

/**
 * Ideas of a proposer, by name; null: none were asked for. They go into the journal, so that nobody has to propose them
 * again.
 */
export async function proposedIdeas(search: SearchOrder | null, folder: AttemptFolder): Promise<Idea[] | null> {
  if (search?.role !== 'propose') return null
  const ideas: Idea[] = []
  for (const name of (await readdir(folder.ideas).catch(() => [])).sort()) {
    if (ideas.length === search.count) break
    const file = join(folder.ideas, name)
    const found = await lstat(file)
    if (!found.isFile() || found.size > LIMITS.ideaBytes || !/^[\w.-]{1,100}$/.test(name)) continue
    const text = safeText(await readFile(file, 'utf8'))
    if (text.trim() !== '') ideas.push({ path: `proposed/${search.node}/${name}`, text })
  }
  return ideas
}
