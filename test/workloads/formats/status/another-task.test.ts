// Whatever a reader takes from a task into its prompt, claims, checks or order is part of what is to be done: a reader that
// learns a field has to tell the writer of statuses.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEFAULT_SETTINGS } from '../../../../src/config.ts'
import { readJson } from '../../../../src/workloads/document/json.ts'
import { isMapping } from '../../../../src/workloads/document/schema-check.ts'
import { readPlan } from '../../../../src/workloads/plan/read.ts'
import { sample } from '../sample.ts'
import { knownFormat } from './written.ts'

type Json = Record<string, unknown>
type Known = { task: string; says: string }

/** Whose task it is, how far it is, and how it is done: not what. */
const NOT_WHAT = 'id status done notes priority labels tags type max_iterations subtasks comments'.split(' ')

/** Fields that one or the other format has, and not every sample. */
const MORE = (
  'title name description details design action file files tests relevantFiles service acceptance_criteria acceptanceCriteria ' +
  'testStrategy expected_output verification patterns_from completion_promise files_to_modify files_to_create success_criteria ' +
  'context instructions technicalConstraints steps existingInfrastructure scopeBoundaries'
).split(' ')

const LISTS = ['subtasks', 'chunks', 'features', 'tasks']

describe('a change of a task that its reader sees', () => {
  for (const [format, file] of [
    ['implementation-plan', 'implementation_plan.json'],
    ['work-queue', 'work_queue.json'],
    ['epics-and-tasks', 'epics-and-tasks.json'],
    ['task-master', 'task-master.json'],
    ['beads', 'issues.jsonl'],
  ] as const) {
    test(format, (t) => {
      const values = valuesIn(sample(file).text, format)
      const look = () => knownIn(values.map((value) => JSON.stringify(value)).join('\n'), format, file)
      const before = look() ?? assert.fail('the sample cannot be read')
      let seen = 0
      recordsIn(values).forEach((record, at) => {
        const names = new Set([...Object.keys(record), ...MORE])
        for (const name of [...names].filter((key) => !NOT_WHAT.includes(key))) {
          const kept = record[name]
          for (const other of othersFor(kept)) {
            record[name] = other
            const [was, is] = [before[at], look()?.[at]]
            // Not open, not valid any more, or nothing that means anything here.
            if (!was || !is || was.task === is.task) continue
            seen++
            assert.notEqual(is.says, was.says, `${JSON.stringify(record.id)}: \`${name}\` is ${JSON.stringify(other)}`)
          }
          record[name] = kept
        }
      })
      t.diagnostic(`${seen} changes`)
      assert.ok(seen >= 5, String(seen))
    })
  }
})

function valuesIn(text: string, format: string): unknown[] {
  const lines = format === 'beads' ? text.split('\n').filter((line) => line.trim() !== '') : [text]
  return lines.map((line) => {
    const read = readJson(line, 'sample')
    return read.ok ? read.value.value : assert.fail(line)
  })
}

/** In the order in which they stand in the file. */
function recordsIn(values: unknown[]): Json[] {
  if (values.length > 1) return values.filter(isMapping)
  const found: Json[] = []
  const walk = (value: unknown): void => {
    if (!isMapping(value)) return
    for (const [name, inner] of Object.entries(value)) {
      if (Array.isArray(inner))
        for (const one of inner.filter(isMapping)) {
          if (LISTS.includes(name)) found.push(one)
          walk(one)
        }
      else if (name !== 'experiments') walk(inner) // another tag of the file
    }
  }
  walk(values[0])
  return found
}

/** Of every task of the file, in its order; undefined for one that is not open. Null where it cannot be read. */
function knownIn(text: string, format: string, file: string): (Known | undefined)[] | null {
  const read = readPlan(text, file, DEFAULT_SETTINGS, { format })
  const records = knownFormat(format).read({ file, text }, null)
  if (!read.ok || !records.ok) return null
  const { plan, source } = read.value
  const names = new Map(source.entries.map((entry) => [entry.source, entry.task]))
  return records.value.map((record) => {
    const task = plan.tasks.find(({ id }) => id === names.get(record.source))
    if (!task) return undefined
    const { work, claims, verify, needs, after, completion, outside } = task
    return { task: JSON.stringify([work, claims, verify, needs, after, completion, outside]), says: record.content() }
  })
}

function othersFor(value: unknown): unknown[] {
  if (value === undefined) return ['src/some.ts', ['src/some.ts'], { type: 'command', run: 'true' }]
  if (typeof value === 'string') return [`${value} and more`, '']
  if (typeof value === 'number') return [value + 1]
  if (typeof value === 'boolean') return [!value]
  if (Array.isArray(value)) return [[], [...value, 'src/more.ts'], value.slice(1)]
  return isMapping(value) ? [{}, { ...value, run: 'true # more', type: 'command' }] : []
}
