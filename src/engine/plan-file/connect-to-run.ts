// Connects the plan file of a run with that run: who hears what could not be written, what has landed on its branch, and
// where its notes are kept.
import type { Store } from '../../store/store.ts'
import { keepUnwritten } from '../../workspace/unwritten-statuses.ts'
import { replaceOrigin } from './keep-plan-file-at-start.ts'
import type { PlanFileWatch } from './notice-settled-by-others.ts'
import { LandedPlanFiles, type RunBranch, type WriteBack } from './write-back.ts'

type RunWithPlanFile = RunBranch & {
  id: string
  store: Store
  writeBack: WriteBack | null
  planFileWatch: PlanFileWatch | null
}

export function connectPlanFile(run: RunWithPlanFile, tell: (message: string) => void): void {
  const { id, store, repo, writeBack, planFileWatch } = run
  if (planFileWatch) planFileWatch.tell = tell
  if (!writeBack) return
  writeBack.tell = tell
  const landed = new LandedPlanFiles(run)
  writeBack.landed = (path) => landed.text(path)
  writeBack.keep = (unwritten) => keepUnwritten(store, id, unwritten)
  // Where it cannot be kept, more is taken for the run's own later than should be: no reason to end it.
  writeBack.keepOrigin = (origin) => replaceOrigin({ store, run: id, top: repo }, origin).catch(() => {})
}
