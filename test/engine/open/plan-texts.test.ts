// The texts of a plan, with what the program of its format notes beside it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readPlanTexts } from '../../../src/engine/open/plan-texts.ts'
import { temporaryFolder, write } from '../../rig/repository.ts'

test('the current tag of Task Master comes with its tasks, and with nothing else', async () => {
  await using place = await temporaryFolder()
  const files = {
    '.taskmaster/tasks/tasks.json': '{}',
    '.taskmaster/state.json': '{"currentTag": "login"}',
    'tasks/tasks.json': '{}',
    'state.json': '{}',
  }
  for (const [file, text] of Object.entries(files)) await write(join(place.path, file), text)
  const stateOf = async (name: string) => {
    const read = await readPlanTexts([name], place.path)
    assert.ok(read.ok)
    return read.value.files.map(({ state }) => state)
  }
  assert.deepEqual(await stateOf('.taskmaster/tasks/tasks.json'), ['{"currentTag": "login"}'])
  assert.deepEqual(await stateOf('.taskmaster/tasks'), ['{"currentTag": "login"}'])
  assert.deepEqual(await stateOf('tasks/tasks.json'), [undefined])
})
