// Names in a plan that lead nowhere, to themselves, or to two things at once.

import { suggestion } from '../../text/nearest.ts'
import { shown } from '../document/field.ts'
import { addError, addWarning, type Findings } from '../document/findings.ts'
import { type Draft, epicPath, membersOf, taskPath } from './draft.ts'

export function checkReferences(draft: Draft, findings: Findings): void {
  const lists = [
    { what: 'tasks', all: draft.tasks, index: draft.taskIndex, pathTo: taskPath },
    { what: 'epics', all: draft.epics, index: draft.epicIndex, pathTo: epicPath },
  ]
  for (const { what, all, index, pathTo } of lists)
    all.forEach(({ id }, position) => {
      const first = index.get(id) ?? position
      if (first === position) return
      const message = (line: number): string => `there are two ${what} \`${id}\`; the first is in line ${line}`
      addError(findings, pathTo(draft, position, 'id'), message, { other: pathTo(draft, first, 'id') })
    })
  for (let task = 0; task < draft.tasks.length; task++) {
    checkTask(draft, task, 'needs', findings)
    checkTask(draft, task, 'after', findings)
  }
  checkEpics(draft, findings)
}

function checkTask(draft: Draft, task: number, field: 'needs' | 'after', findings: Findings): void {
  const { id, [field]: names } = draft.tasks[task] ?? { id: '', needs: [], after: [] }
  const { wording } = draft
  const who = (): string => `${wording.task} ${shown(wording.taskName(id))}`
  for (let i = 0; i < names.length; i++) {
    const name = names[i] ?? ''
    if (name !== id && (draft.taskIndex.has(name) || draft.badIds.has(name))) continue
    const path = taskPath(draft, task, field, i)
    const verb = field === 'needs' ? 'needs' : 'comes after'
    if (name === id) addError(findings, path, `${who()} ${verb} itself`)
    else if (draft.epicIndex.has(name))
      addError(findings, path, `${shown(name)} is an epic, not a task: an epic can need it, in \`epics\``)
    else {
      // Worked out only for what is printed: it means a look at thousands of names.
      const near = (): string => suggestion(name, draft.taskIndex.keys())
      addError(findings, path, () => `${who()} ${verb} ${shown(name)}, which does not exist${near()}`)
    }
  }
}

function checkEpics(draft: Draft, findings: Findings): void {
  const members = membersOf(draft)
  draft.epics.forEach(({ id, needs }, epic) => {
    needs.forEach((name, i) => {
      const path = epicPath(draft, epic, 'needs', i)
      const needed = draft.epicIndex.get(name)
      const who = `${draft.wording.epic} ${shown(draft.wording.epicName(id))}`
      if (name === id) addError(findings, path, `${who} needs itself`)
      else if (needed === undefined) {
        if (draft.badIds.has(name)) return
        const near = () => suggestion(name, draft.epicIndex.keys())
        addError(findings, path, () => `${who} needs ${shown(name)}, which is not an epic${near()}`)
      } else if (members[needed]?.length === 0)
        addWarning(findings, path, `epic \`${name}\` has no tasks: there is nothing to wait for`)
    })
  })
}
