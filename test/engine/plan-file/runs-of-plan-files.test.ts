// Runs of plans in other formats, and what they leave in the plan file.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalierHere, said, startEspalier } from '../../rig/espalier.ts'
import { until } from '../../rig/until.ts'
import { sampleFolder } from '../../workloads/formats/sample.ts'
import { openProject, type Project, planText } from './project.ts'

const AGENT = 'cat >/dev/null; echo x > "$ESPALIER_TASK.txt"'
const WAITS = 'cat >/dev/null; exec sleep 1000'
/** What is told where the run takes a status for somebody's. */
const SOMEBODYS = /stays as it is/

/** In a process of its own, which ends by the signal as soon as the file says this. */
async function endedAt(on: Project, says: string, signal: NodeJS.Signals, args: string[], meanwhile = async () => {}) {
  const child = startEspalier(on.repository.top, args)
  const ended = said(child)
  const begun = until(says, () => on.statuses() === says || child.exitCode !== null)
  await begun.then(meanwhile).finally(() => child.kill(signal))
  const { out, err } = await ended
  assert.equal(on.statuses().split(' ').length, says.split(' ').length, out + err)
  return out + err
}

/** All tasks but `a` wait for the file `go`, or for the end of the test. */
function waitingAgent({ repository }: Project): string {
  return `until [ $ESPALIER_TASK = a ] || [ -e '${repository.at('go')}' ] || [ ! -d '${repository.top}' ]; do sleep 0.02; done; ${AGENT}`
}

test('what a run has written is no change of its plan, and an engine that is killed loses nothing of it', async () => {
  const text = planText('a b d')
  await using project = await openProject(text)
  const begun = 'a completed b in_progress d pending'
  await endedAt(project, begun, 'SIGINT', ['run', 'plan.json', '--command', waitingAgent(project)])
  assert.equal(project.statuses(), 'a completed b pending d pending')
  assert.doesNotMatch(await endedAt(project, begun, 'SIGKILL', ['resume']), /has changed|stays as it is/)
  const completed = /"completed_at": "[^"]+"/.exec(project.read())?.[0] ?? assert.fail(project.read())
  await project.type(0, 'plan check plan.json')

  // As if it had been killed before it wrote anything; and somebody has changed a subtask that has not begun, and added one.
  const now = JSON.parse(text)
  now.phases[0].subtasks[2].files_to_create = ['d.txt']
  now.phases[0].subtasks.push({ id: 'c', description: 'Do c' })
  project.write(JSON.stringify(now))
  writeFileSync(project.repository.at('go'), '')
  const { err } = await espalierHere(project.repository.top, ['resume', '--replan'])
  const changes = `${project.file} has changed since the run began:\n  + new: c\n  ~ changed: d\nplan changes applied\n`
  assert.equal(err, changes)
  assert.equal(project.statuses(), 'a completed b completed d completed c completed')
  assert.ok(project.read().includes(completed.replace(': ', ':')), project.read())
  assert.ok(!project.read().includes('\n'), 'it is still on one line')
})

test('what is tried again follows, also after a kill, and no word of the run is taken for a person’s', async () => {
  await using project = await openProject(planText('a b c'))
  const run = async (...of: Parameters<typeof project.run>) => assert.doesNotMatch(await project.run(...of), SOMEBODYS)
  await run('b', 1, 'run plan.json')
  assert.equal(project.statuses(), 'a completed b failed c blocked')
  await run('b', 1, 'retry')
  assert.equal(project.statuses(), 'a completed b failed c blocked')

  const args = ['retry', '--replan', '--command', WAITS]
  assert.doesNotMatch(await endedAt(project, 'a completed b in_progress c pending', 'SIGKILL', args), SOMEBODYS)
  await project.type(0, 'cancel --run plan-1 b')
  await run('', 1, 'resume')
  await run('', 0, 'retry')
  assert.equal(project.statuses(), 'a completed b completed c completed')
})

test('Task Master: a task is done with its subtasks; what a person has set since the run ended stays', async () => {
  const task = (id: number, title: string, dependencies: number[] = [], subtasks: object[] = []) => {
    return { id, title, status: 'pending', dependencies, subtasks }
  }
  const whole = task(1, 'Whole', [], [task(1, 'One'), task(2, 'Two', [1])])
  const tasks = [whole, task(2, 'After it', [1]), task(3, 'Theirs', [1])]
  await using project = await openProject(JSON.stringify({ tasks }), 'tasks.json')
  await project.run('task-1-1', 1, 'run tasks.json')
  assert.equal(project.statuses(), '1 in-progress 1 pending 2 blocked 2 blocked 3 blocked')
  project.edit(/("title":"Theirs","status":)"blocked"/, '$1"review"')
  const told = await project.run('', 0, 'retry', '`3` stays as it is')
  assert.equal(project.statuses(), '1 done 1 done 2 done 2 done 3 review')
  assert.doesNotMatch(told, /`[^3]+` stays as it is/)
})

test('what could not be written until the end is reported everywhere, and resume writes it, but not into the work of others', async () => {
  const text = planText('a b', true)
  await using project = await openProject(text)
  const { file, statuses, type } = project
  const breaks = `${AGENT}; [ "$ESPALIER_TASK" = b ] || printf '{ "phases"' > '${file}'`
  const next = /espalier resume plan-1 +write the task statuses/
  for (const words of [['run', file, '--command', breaks], 'status']) {
    const told = await type(0, words, next)
    const why = `! the status of tasks could not be written into ${file}: line 1:`
    assert.ok(told.replaceAll('\n  ', ' ').includes(why), told)
  }

  // It is whole again, and one of the two is another task now.
  project.write(text.replace('Do b', 'Do something else'))
  const [again = ''] = await project.warned()
  assert.match(again, /^this run repeats `a`, which landed in run plan-1\. Instead: `espalier resume plan-1` \(write/)
  const newer = ['run', 'plan.json', '--command', WAITS]
  await endedAt(project, 'a in_progress b in_progress', 'SIGKILL', newer, async () => {
    await type(2, 'resume plan-1', 'not written while an engine works in this repository')
  })
  await type(2, 'resume plan-1', 'run plan-2 of the same plan file is newer and not finished')
  assert.equal(statuses(), 'a in_progress b in_progress', 'the file is its to write')
  await type(0, 'cancel --run plan-2')
  const stays = /^the status of `b` stays as it is in .*: its description was changed during the run$/m
  await type(0, 'resume plan-1', 'its task statuses are in the plan file now, apart from b\n', stays)
  assert.equal(statuses(), 'a completed b pending')
  assert.doesNotMatch(await type(0, 'status plan-1', '`b` stays as it is'), next)
  await type(2, 'resume plan-1', /^run plan-1 has finished \(completed\): nothing left to/)
})

test('in a folder of task files each has its own status', async () => {
  await using project = await openProject('')
  const samples = sampleFolder('ccpm-epic')
  for (const { file, text } of samples) await project.repository.write(file, text)
  await project.type(0, ['run', 'ccpm-epic', '--command', AGENT])
  for (const { file, text } of samples) {
    const done = text.replace(/^status: (open|in-progress)$/m, file.endsWith('epic.md') ? '$&' : 'status: closed')
    assert.equal(readFileSync(project.repository.at('repo', file), 'utf8'), done)
  }
  assert.equal(readdirSync(project.repository.at('repo', 'ccpm-epic')).length, samples.length)
})

const BOXES = '# Tasks: Notes\n\n## Phase 1: Setup\n\n- [ ] T001 Write a note in note.txt\n'
const TOLD = /^Espalier writes task statuses into `tasks\.md`: do not/m

for (const [box, isCommitted] of [
  ['x', false],
  ['X', false],
  ['X', true],
] as const)
  test(`[${box}] of an agent that ticks its own box is not in the way of land, ${isCommitted ? '' : 'un'}committed`, async () => {
    await using project = await openProject(BOXES, 'tasks.md')
    const { repository } = project
    const command = `cat > note.txt; sed -i 's/\\[ \\] T001/[${box}] T001/' tasks.md`
    await project.type(0, 'prompt t001 tasks.md', TOLD)
    await project.type(0, ['run', 'tasks.md', '--command', command])
    const ticked = BOXES.replace('[ ]', `[${box}]`)
    assert.equal(project.read(), ticked)
    if (isCommitted) repository.git('commit', '-qam', 'Note what is done')
    await project.type(0, 'land')
    assert.equal(repository.git('status', '--porcelain'), '')
    assert.equal(repository.git('show', 'main:tasks.md'), ticked.trimEnd())
    assert.match(repository.git('show', 'main:note.txt'), TOLD)
  })
