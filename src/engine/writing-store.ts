// Writing to the state folder from outside a run, also while an engine works there. It is made where there is none.
import { mkdir } from 'node:fs/promises'
import { inspect } from '../git/user-repository.ts'
import type { Result } from '../problem.ts'
import { unlessDamaged } from '../store/sqlite/open.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { checkPlace } from './place.ts'
import { stateFolder } from './state-folder.ts'
import { unlessUnwritable } from './unless-unwritable.ts'
import type { Where } from './where.ts'

export async function writingStore<T>(where: Where, use: (store: Store) => Promise<Result<T>>): Promise<Result<T>> {
  const user = await inspect(where.repo)
  if (!user.ok) return user
  const stateDir = where.stateDir ?? null
  const problems = await checkPlace(user.value, stateDir)
  if (problems.length > 0) return { ok: false, problems }
  const folder = stateFolder(user.value.top, stateDir)
  return unlessUnwritable(folder, async () => {
    await mkdir(folder.root, { recursive: true, mode: 0o700 })
    const opened = openSqliteStore(folder.database)
    if (!opened.ok) return opened
    await using store = opened.value
    return await unlessDamaged(folder.database, () => use(store))
  })
}
