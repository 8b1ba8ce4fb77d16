// How the score command is run, and what counts of what it left.
//
// Properties
// - What is printed after the command has ended does not count: right behind it a line is printed that nobody else prints. Where it
//   stands more often than that, somebody did, and nothing counts.
// - Numbers in a file are taken from a file that the command itself has written: one that was there before is removed, and it is
//   read right after the command, before anything that it left running could change it.
// - A command that leaves processes running is not believed: they may have written what it seems to have written.
import { createHash } from 'node:crypto'
import { LIMITS } from '../../config.ts'
import type { Failure } from '../../failure.ts'
import type { Exit } from '../../process/supervise/exit.ts'
import { readTail } from '../../process/supervise/output.ts'
import type { Score } from '../../search.ts'
import { leftoversText } from '../how-attempt-ended.ts'
import { commandFailure } from '../worktree-commands.ts'
import { numbersIn } from './read-score-numbers.ts'

type Measurement = { ok: true; values: Record<string, number> } | { ok: false; failure: Failure }

/** `token`: of the attempt. */
export function scoreArguments({ run, file }: Pick<Score, 'run' | 'file'>, token: string, number: number): string[] {
  return ['sh', '-c', SCRIPT, 'espalier-score', run, markOf(token, number), file ?? '', String(LIMITS.scoreBytes)]
}

const SCRIPT = String.raw`
[ -z "$3" ] || rm -rf -- "./$3"
sh -c "$1"
espalier_code=$?
printf '\n%s\n' "$2"
if [ -n "$3" ] && [ -f "./$3" ] && [ ! -L "./$3" ]; then
  head -c "$4" <"./$3"
  printf '\n%s\n' "$2"
fi
exit $espalier_code`

export async function measurementIn(
  dir: string,
  exit: Exit,
  score: Score,
  { token, number }: { token: string; number: number },
): Promise<Measurement> {
  const failed = await commandFailure(dir, score.run, 'score-failed', exit)
  if (failed) return { ok: false, failure: { ...failed, message: withoutMark(failed.message, token, number) } }
  if (exit.leftovers + exit.survivors.length > 0)
    return tampered(
      `\`${score.run}\` left processes running (${leftoversText(exit.leftovers)}), so what it printed may not be its own`,
    )
  const output = await readTail(dir, 2 * LIMITS.scoreBytes)
  const [printed = '', inFile, rest, ...more] = output.split(`\n${markOf(token, number)}\n`)
  if (more.length > 0 || (score.file === null && rest !== undefined))
    return tampered(`what \`${score.run}\` printed holds the line that ends it`)
  if (inFile === undefined) return missing(`\`${score.run}\` printed too much, or its end is missing`)
  if (score.file !== null && rest === undefined) return missing(`\`${score.run}\` did not write ${score.file}`)
  const numbers = numbersIn(score, score.file === null ? printed : inFile)
  if (numbers.ok) return numbers
  const where = score.file === null ? `what \`${score.run}\` printed` : score.file
  const message = `in ${where} ${numbers.message}`
  return numbers.reason === 'ambiguous' ? tampered(message) : missing(message)
}

/** Not random: an engine that takes the command up has to know it. That a candidate can know it too is of no use to it. */
function markOf(token: string, number: number): string {
  return `espalier-end-${createHash('sha256').update(`${token} score ${number}`).digest('hex').slice(0, 32)}`
}

function withoutMark(message: string, token: string, number: number): string {
  return message.replaceAll(markOf(token, number), '').trimEnd()
}

function tampered(message: string): Measurement {
  return { ok: false, failure: { reason: 'tampered', message } }
}

function missing(message: string): Measurement {
  return { ok: false, failure: { reason: 'score-failed', message } }
}
