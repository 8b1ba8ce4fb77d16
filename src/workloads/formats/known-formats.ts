// The formats that are read besides Espalier's own. The first that recognises a file reads it.
import { batchPlan } from './batch-plan/reader.ts'
import { ccpm } from './ccpm/reader.ts'
import type { Format } from './format.ts'
import { gsdPlan } from './gsd-plan/reader.ts'
import { beads } from './json/beads.ts'
import { epicsAndTasks } from './json/epics-and-tasks.ts'
import { implementationPlan } from './json/implementation-plan.ts'
import { taskMaster } from './json/task-master.ts'
import { workQueue } from './json/work-queue.ts'
import { specKit } from './spec-kit/reader.ts'

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
