// What a task would be told of what earlier ones learned, for whoever wants to see its prompt. Nothing is written.

import type { Settings } from '../../config.ts'
import { ok, type Result } from '../../problem.ts'
import type { Task } from '../../task.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { Learner } from './learner.ts'

export async function readExpertise(workspace: Workspace, task: Task, settings: Settings): Promise<Result<string[]>> {
  return workspace.read<string[]>([], async (store) => {
    const learner = await Learner.open(store, settings)
    return ok((await learner.expertise(task)).map(({ text }) => text))
  })
}
