// The user's checkout as it is, as a commit that a run can start from.
import { dirtyCommit } from '../../git/user/dirty-commit.ts'
import type { Result } from '../../problem.ts'
import type { Workspace } from '../../workspace/workspace.ts'

export async function readDirtyCommit(workspace: Workspace): Promise<Result<string>> {
  const user = await workspace.user()
  return user.ok ? dirtyCommit(user.value) : user
}
