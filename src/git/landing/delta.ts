// G3: the change of a landing against the change of its work.
import type { EngineRepository } from '../engine/repository.ts'
import { SYMLINK } from '../trees/escaping-links.ts'
import { treeChanges } from '../trees/tree-changes.ts'

export type Delta = {
  /** Paths that the landing changes and the work did not. One character per byte, as in `worked`. */
  strange: string[]
  worked: Set<string>
  links: boolean
}

export async function checkDelta(
  engine: EngineRepository,
  { landing, head, work, base }: { landing: string; head: string; work: string; base: string },
): Promise<Delta> {
  const [landed, done] = await Promise.all([treeChanges(engine, head, landing), treeChanges(engine, base, work)])
  const worked = new Set(done.map(({ path }) => path))
  return {
    strange: landed.map(({ path }) => path).filter((path) => !worked.has(path)),
    worked,
    links: landed.some(({ newMode }) => newMode === SYMLINK),
  }
}
