// How soon a large plan in somebody else's format is under way: recognised, translated, checked, first decision.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atMost, type Bar, type Benchmark } from './benchmark.ts'
import { foreignPlanText, JSON_FORMATS } from './foreign-plan.ts'
import { probe } from './probe.ts'

const TASKS = 10_000

export const formats: Benchmark = {
  name: 'formats',
  about: `plans of ${TASKS.toLocaleString('en-US')} tasks in the JSON formats of others, up to the first decision`,
  async run({ scratch, say }) {
    const rows: (string | number)[][] = []
    const bars: Bar[] = []
    for (const format of JSON_FORMATS) {
      say(format)
      const file = join(scratch, format === 'beads' ? 'issues.jsonl' : `${format}.json`)
      const text = foreignPlanText(TASKS, format)
      writeFileSync(file, text)
      const { readMs, stateMs, totalMs, peakMb } = probe('decide', file)
      rows.push([format, text.length / (1 << 20), readMs, stateMs, totalMs, peakMb])
      bars.push(atMost(`${format}: ${TASKS.toLocaleString('en-US')} tasks`, totalMs, 1_000, 'ms'))
    }
    const columns = ['format', 'MB', 'read + check', 'load + decide', 'in all', 'peak MB']
    return { tables: [{ title: 'ms in a process of its own, median of 3', columns, rows }], bars }
  },
}
