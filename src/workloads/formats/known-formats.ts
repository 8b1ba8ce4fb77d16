// The formats that are read besides Espalier's own. The first that recognises a file reads it.
import { batchPlan } from './batch-plan.ts'
import { beads } from './beads.ts'
import { ccpm } from './ccpm.ts'
import { epicsAndTasks } from './epics-and-tasks.ts'
import type { Format } from './format.ts'
import { gsdPlan } from './gsd-plan.ts'
import { implementationPlan } from './implementation-plan.ts'
import { specKit } from './spec-kit.ts'
import { taskMaster } from './task-master.ts'
import { workQueue } from './work-queue.ts'

export const KNOWN_FORMATS: readonly Format[] = [
  implementationPlan,
  workQueue,
  epicsAndTasks,
  taskMaster,
  beads,
  gsdPlan,
  ccpm,
  batchPlan,
  specKit,
]
