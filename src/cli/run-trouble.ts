// What a run could not do although its tasks could: said last, on stderr, with what to type next.
import type { RunResult } from '../index.ts'

/** Null for a run that ended as runs do. `repeat` are the flags to repeat in commands. */
export function troubleOf(
  { run, branch, stuck, publishTrouble }: Pick<RunResult, 'run' | 'branch' | 'stuck' | 'publishTrouble'>,
  repeat: string,
): string | null {
  const said = []
  if (stuck !== null) {
    said.push(`run ${run} stopped: ${stuck}`, `put that right, then \`espalier resume ${run}${repeat}\` goes on`)
  }
  if (publishTrouble !== null) said.push(`${branch} could not be moved: ${publishTrouble}`)
  return said.length === 0 ? null : said.join('\n')
}
