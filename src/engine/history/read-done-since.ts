// For whoever looks at a run: which of its tasks that did not succeed another run of the same plan file has landed since.

import type { RunView } from '../../status.ts'
import type { Workspace } from '../../workspace/workspace.ts'

/** By task: the run that landed it. None where that cannot be found out. */
export async function readDoneSince(
  workspace: Workspace,
  { run, startedAt, tasks }: Pick<RunView, 'run' | 'startedAt' | 'tasks'>,
): Promise<ReadonlyMap<string, string>> {
  const open = tasks.filter(({ status }) => status !== 'landed' && status !== 'passed')
  if (open.length === 0) return NONE
  const found = await workspace.readViews(NONE, async (store) => {
    if ((await store.note(run, 'plan-file')) === null) return NONE
    // Loaded here: they know all formats, and `status` has to be quick to load.
    const [{ doneSince }, { keptOrigin }] = await Promise.all([
      import('./other-runs.ts'),
      import('../plan-file/origin.ts'),
    ])
    return doneSince({ store }, await keptOrigin(store, run), { run, startedAt })
  })
  const since = found.ok ? found.value : NONE
  return new Map(open.flatMap(({ id }): [string, string][] => (since.has(id) ? [[id, since.get(id) ?? '']] : [])))
}

const NONE: ReadonlyMap<string, string> = new Map()
