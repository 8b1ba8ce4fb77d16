// The formats whose files carry a status. A batch plan and a GSD plan have no place for one: nothing is written there.
import { beadsStatus } from './beads.ts'
import { ccpmStatus } from './ccpm.ts'
import { epicsAndTasksStatus } from './epics-and-tasks.ts'
import { implementationPlanStatus } from './implementation-plan.ts'
import { specKitStatus } from './spec-kit.ts'
import type { StatusFile } from './status-file.ts'
import { taskMasterStatus } from './task-master.ts'
import { workQueueStatus } from './work-queue.ts'

export const STATUS_FILES: readonly StatusFile[] = [
  implementationPlanStatus,
  workQueueStatus,
  epicsAndTasksStatus,
  taskMasterStatus,
  beadsStatus,
  specKitStatus,
  ccpmStatus,
]
