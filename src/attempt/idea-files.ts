// The files of a search outside of its worktrees: the idea that a step tries, and the ideas that a proposer writes.
import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LIMITS } from '../config.ts'
import type { Idea } from '../search.ts'
import { safeText } from '../text/safe.ts'
import type { AttemptFolder } from '../workspace/state-folder.ts'
import type { SearchOrder } from './attempt-order.ts'

/** Each attempt has a copy of its own: what one does to it reaches no other. */
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

/** In the order of their names; null where none were asked for. They go into the journal, so that nobody has to propose them again. */
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
