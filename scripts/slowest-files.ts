// A reporter of `node --test`: the files that took longest. It is the clock that is told, so what else the machine had
// to do counts as well.
import { relative } from 'node:path'

const SHOWN = 10
/** There is nothing to find in less. */
const MIN_FILES = 10

type Report = { type: string; data: { file?: string; duration_ms?: number } }

export default async function* slowestFiles(reports: AsyncIterable<Report>): AsyncGenerator<string> {
  const seconds = new Map<string, number>()
  for await (const { type, data } of reports) {
    if (type !== 'test:summary' || !data.file) continue
    seconds.set(relative('.', data.file), (data.duration_ms ?? 0) / 1000)
  }
  if (seconds.size < MIN_FILES) return
  yield '\nslowest files:\n'
  const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, SHOWN)
  for (const [file, took] of slowest) yield `${took.toFixed(1).padStart(7)} s  ${file}\n`
}
