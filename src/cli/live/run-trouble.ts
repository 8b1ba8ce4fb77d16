import type { RunResult } from '../../engine/run/run-result.ts'

/** Problems of the run itself, not of its tasks, with the next command; null: none. `repeat`: flags to repeat in commands. */
export function troubleOf(
  result: Pick<RunResult, 'run' | 'branch' | 'stuck' | 'takenOver' | 'publishTrouble'>,
  repeat: string,
): string | null {
  const { run, branch, stuck, takenOver, publishTrouble } = result
  const said = []
  if (stuck !== null) {
    const why = takenOver ? 'stopped' : 'was stopped by an environment error'
    const next = takenOver
      ? `\`espalier status --watch ${run}${repeat}\` follows it`
      : `fix that, then \`espalier resume ${run}${repeat}\``
    said.push(`run ${run} ${why}: ${stuck}`, next)
  }
  if (publishTrouble !== null) said.push(`${branch} could not be moved: ${publishTrouble}`)
  return said.length === 0 ? null : said.join('\n')
}
