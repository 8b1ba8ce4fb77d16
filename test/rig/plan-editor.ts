// A person's script that edits a plan file while a run writes into it: adds subtasks and notes, under the file's lock.
// It begins when the run has, and waits between blocks of edits for another subtask to be completed.
// Usage: node plan-editor.ts '{"file":…,"edits":200,"block":40,"counter":…}'
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

type Subtask = { id: string; description: string; status?: string; notes?: string }
type PlanJson = { phases: { subtasks: Subtask[] }[] }
export type EditorOrders = { file: string; edits: number; block: number; counter: string }

const { file, edits, block, counter } = JSON.parse(process.argv[2] ?? '') as EditorOrders
while (count('in_progress') === 0) await wait(10)
for (let edit = 1; edit <= edits; edit++) {
  if (edit % block === 1) while (count('completed') < Math.floor(edit / block) - 1) await wait(10)
  await locked(() => {
    const plan = read()
    const [phase] = plan.phases
    if (!phase) throw new Error('no phase')
    if (edit % 2 === 0) phase.subtasks.push({ id: `extra-${edit}`, description: `Do ${edit}`, status: 'pending' })
    else {
      const subtask = phase.subtasks[edit % phase.subtasks.length] as Subtask
      subtask.notes = `${subtask.notes ?? ''}[${edit}]`
    }
    writeFileSync(`${file}.mine`, `${JSON.stringify(plan, null, 2)}\n`)
    renameSync(`${file}.mine`, file)
  })
  writeFileSync(counter, String(edit))
}

function read(): PlanJson {
  return JSON.parse(readFileSync(file, 'utf8')) as PlanJson
}

function count(wanted: string): number {
  const subtasks = read().phases.flatMap((phase) => phase.subtasks)
  return subtasks.filter(({ status }) => status === wanted).length
}

async function locked(work: () => void): Promise<void> {
  for (;;) {
    try {
      closeSync(openSync(`${file}.lock`, 'wx'))
      break
    } catch {
      await wait(1)
    }
  }
  work()
  rmSync(`${file}.lock`)
}
