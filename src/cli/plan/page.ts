// The default file for the page of a plan.

import { join } from 'node:path'
import { ok, type Result, refuse } from '../../problem.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** Beside the reports of runs, whose names have no dot: `shop.plan.html`. */
export async function planPage(
  workspace: Workspace | null,
  name: string,
  kind: 'plan' | 'simulation',
): Promise<Result<string>> {
  if (workspace) return ok(join(workspace.folder.reports, `${name}.${kind}.html`))
  return refuse(`outside of a git repository the page has no place of its own: name a file, as in --html ${kind}.html`)
}
