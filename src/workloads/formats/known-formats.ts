// The formats besides Espalier's own. The first one that recognises a file reads it.

import type { Format } from './format.ts'
import { beads } from './json/beads.ts'
import { epicsAndTasks } from './json/epics-and-tasks.ts'
import { implementationPlan } from './json/implementation-plan.ts'
import { taskMaster } from './json/task-master.ts'
import { workQueue } from './json/work-queue.ts'
import { batchPlan } from './markdown/batch-plan.ts'
import { ccpm } from './markdown/ccpm.ts'
import { gsdPlan } from './markdown/gsd-plan.ts'
import { specKit } from './markdown/spec-kit.ts'

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
