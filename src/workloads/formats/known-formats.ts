// The formats that are read besides Espalier's own. The first that recognises a file reads it.
import { batchPlan } from './batch-plan/reader.ts'
import { beads } from './beads/reader.ts'
import { beadsStatus } from './beads/write-status.ts'
import { ccpm } from './ccpm/reader.ts'
import { ccpmStatus } from './ccpm/write-status.ts'
import { epicsAndTasks } from './epics-and-tasks/reader.ts'
import { epicsAndTasksStatus } from './epics-and-tasks/write-status.ts'
import type { Format } from './format.ts'
import { gsdPlan } from './gsd-plan/reader.ts'
import { implementationPlan } from './implementation-plan/reader.ts'
import { implementationPlanStatus } from './implementation-plan/write-status.ts'
import { specKit } from './spec-kit/reader.ts'
import { specKitStatus } from './spec-kit/write-status.ts'
import type { StatusFile } from './status/status-file.ts'
import { taskMaster } from './task-master/reader.ts'
import { taskMasterStatus } from './task-master/write-status.ts'
import { workQueue } from './work-queue/reader.ts'
import { workQueueStatus } from './work-queue/write-status.ts'

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

// The formats whose files carry a status. A batch plan and a GSD plan have no place for one: nothing is written there.

export const STATUS_FILES: readonly StatusFile[] = [
  implementationPlanStatus,
  workQueueStatus,
  epicsAndTasksStatus,
  taskMasterStatus,
  beadsStatus,
  specKitStatus,
  ccpmStatus,
]
