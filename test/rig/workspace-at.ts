// The workspace of a test's repository. Not closed: a test's processes end with it, and what it reads is read-only.
import { openWorkspace, type Workspace } from '../../src/workspace/workspace.ts'

export async function workspaceAt(repo: string, stateDir: string | null = null): Promise<Workspace> {
  const opened = await openWorkspace({ repo, stateDir })
  if (!opened.ok) throw new Error(opened.problems.map(({ message }) => message).join('\n'))
  return opened.value
}
