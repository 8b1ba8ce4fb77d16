// What a task would be told of what earlier ones learned, for whoever wants to see its prompt. Nothing is written.
import { existsSync } from 'node:fs'
import type { Settings } from '../../config.ts'
import { ok, type Result } from '../../problem.ts'
import { unlessDamaged } from '../../store/sqlite/open.ts'
import { openSqliteStore } from '../../store/sqlite/store.ts'
import type { Task } from '../../task.ts'
import { folderOf, type Where } from '../../workspace/read.ts'
import { Learner } from './learner.ts'

export async function readExpertise(where: Where, task: Task, settings: Settings): Promise<Result<string[]>> {
  const folder = await folderOf(where)
  if (!folder.ok) return folder
  const { database } = folder.value
  if (!existsSync(database)) return ok([])
  const opened = openSqliteStore(database, 'read')
  if (!opened.ok) return opened
  await using store = opened.value
  return await unlessDamaged(database, async () => {
    const learner = await Learner.open(store, settings)
    return ok((await learner.expertise(task)).map(({ text }) => text))
  })
}
