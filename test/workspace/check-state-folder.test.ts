import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GitFailure } from '../../src/git/run/git.ts'
import { unlessUnwritable } from '../../src/workspace/check-state-folder.ts'
import { stateFolder } from '../../src/workspace/state-folder.ts'

const FULL = "fatal: cannot lock ref 'refs/x': unable to write file: No space left on device"

test('a disk that is full is the one that git could not write to, and not always that of the state folder', async () => {
  const folder = stateFolder('/home/me/project', null)
  const said = async (place: string) => {
    const refused = await unlessUnwritable(folder, async () => {
      throw new GitFailure(['update-ref'], 128, FULL, place)
    })
    return refused.ok ? '' : refused.problems.map(({ message }) => message).join()
  }
  assert.match(
    await said('/home/me/project/.git'),
    /^\/home\/me\/project\/\.git cannot be written: .*: free some disk$/,
  )
  assert.match(await said(`${folder.root}/engine.git`), /^the state folder .*--state-dir/)
})
