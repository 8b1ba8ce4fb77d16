// Where the page of a plan goes if nobody says it.
import { join } from 'node:path'
import { reportsFolder, type Where } from '../../index.ts'
import { ok, type Result, refuse } from '../../problem.ts'

/** Beside the reports of runs, whose names have no dot: `shop.plan.html`. */
export async function planPage(where: Where, name: string, kind: 'plan' | 'simulation'): Promise<Result<string>> {
  const folder = await reportsFolder(where)
  if (folder.ok) return ok(join(folder.value, `${name}.${kind}.html`))
  return refuse(`outside of a git repository the page has no place of its own: name a file, as in --html ${kind}.html`)
}
