// Runs the score command, and takes the numbers from its output.
//
// Properties
// - Output after the end of the command does not count: a line follows it that nobody else prints. If that line appears
//   more often, somebody else printed it, and nothing counts.
// - A file of numbers is one that the command itself wrote: an older one is removed before, and it is read right after
//   the command, before anything left running could change it.
// - A command that leaves processes running is not believed: they may have written its output.
import { createHash } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { LIMITS } from '../../config.ts'
import type { Failure } from '../../event.ts'
import type { Exit } from '../../process/supervise/exit.ts'
import { readTail } from '../../process/supervise/read-output.ts'
import { SCORE, type Score } from '../../search-definition.ts'
import { leftoversText } from '../exit-failures.ts'
import { commandFailure } from '../worktree-commands.ts'

type Measurement = { ok: true; values: Record<string, number> } | { ok: false; failure: Failure }

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
  const mark = markOf(token, number)
  const failed = await commandFailure(dir, score.run, 'score-failed', exit)
  if (failed) return { ok: false, failure: { ...failed, message: failed.message.replaceAll(mark, '').trimEnd() } }
  if (exit.leftovers + exit.survivors.length > 0)
    return tampered(
      `\`${score.run}\` left processes running (${leftoversText(exit.leftovers)}), so what it printed may not be its own`,
    )
  const output = await readTail(dir, 2 * LIMITS.scoreBytes)
  const [printed = '', inFile, rest, ...more] = output.split(`\n${mark}\n`)
  if (more.length > 0 || (score.file === null && rest !== undefined))
    return tampered(`what \`${score.run}\` printed holds the line that ends it`)
  if (inFile === undefined) return missing(`\`${score.run}\` printed too much, or its end is missing`)
  if (score.file !== null && rest === undefined) return missing(`\`${score.run}\` did not write ${score.file}`)
  const where = score.file === null ? `what \`${score.run}\` printed` : score.file
  return numbersIn(score, score.file === null ? printed : inFile, where)
}

/** Not random: an engine that takes the command up has to know it. It is of no use to a candidate. */
function markOf(token: string, number: number): string {
  return `espalier-end-${createHash('sha256').update(`${token} score ${number}`).digest('hex').slice(0, 32)}`
}

function tampered(message: string): Measurement {
  return { ok: false, failure: { reason: 'tampered', message } }
}

function missing(message: string): Measurement {
  return { ok: false, failure: { reason: 'score-failed', message } }
}

/**
 * It may be output of the candidate, so if a key or a pattern names the number, all matches have to be the same: a second one
 * is no reason to choose. `where`: in words.
 */
function numbersIn(score: Score, text: string, where: string): Measurement {
  const found = score.pattern !== null ? byPattern(score.pattern, text) : byKeys(score.keys, text)
  if (typeof found === 'string') return missing(`in ${where} ${found}`)
  const values: Record<string, number> = {}
  for (const [name, numbers] of found) {
    const [first, ...others] = new Set(numbers)
    if (others.length > 0) {
      const shown = [first, ...others].slice(0, 3).join(', ')
      const why = 'and the candidate may have printed one of them'
      return tampered(`in ${where} there is more than one \`${name}\` (${shown}), ${why}`)
    }
    if (first !== undefined) values[name] = first
  }
  const lacking = [...found.keys()].find((name) => values[name] === undefined)
  return lacking === undefined ? { ok: true, values } : missing(`in ${where} there is no number \`${lacking}\``)
}

/** Numbers by name; a text: what is missing. */
type Found = Map<string, number[]> | string

function byKeys(keys: readonly string[], text: string): Found {
  if (keys.length === 0) {
    const last = [...text.matchAll(NUMBER)].at(-1)?.[0]
    return last === undefined ? 'there is no number' : new Map([[SCORE, finite([Number(last)])]])
  }
  const documents = jsonIn(text)
  if (documents.length === 0) return 'there is no JSON'
  return new Map(keys.map((key) => [key, finite(documents.map((document) => valueAt(document, key)))]))
}

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/g

/** All of it, or each line that is JSON. */
function jsonIn(text: string): unknown[] {
  const whole = parsed(text)
  if (whole !== undefined) return [whole]
  return text.split('\n').flatMap((line) => (/^\s*[{[]/.test(line) ? (parsed(line) ?? []) : []))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function valueAt(document: unknown, key: string): unknown {
  let current = document
  for (const name of key.split('.'))
    current =
      typeof current === 'object' && current !== null && Object.hasOwn(current, name)
        ? Reflect.get(current, name)
        : undefined
  return current
}

function finite(values: readonly unknown[]): number[] {
  return values.filter((value): value is number => typeof value === 'number' && Number.isFinite(value))
}

/** The pattern is not ours: one that takes too long is ended. */
function byPattern(pattern: string, text: string): Found {
  let matches: { all: string; first?: string; named?: Record<string, string> }[]
  try {
    matches = JSON.parse(runInNewContext(MATCH, { pattern, text }, { timeout: LIMITS.scoreMatchMs }) as string)
  } catch {
    return `the pattern \`${pattern}\` took too long to look for`
  }
  if (matches.length === 0) return `nothing matches \`${pattern}\``
  const found = new Map<string, number[]>()
  const add = (name: string, value: string) =>
    found.set(name, [...(found.get(name) ?? []), ...finite([toNumber(value)])])
  for (const { all, first, named } of matches)
    for (const [name, value] of Object.entries(named ?? { [SCORE]: first ?? all })) add(name, value ?? '')
  return found
}

const MATCH =
  'JSON.stringify([...text.matchAll(new RegExp(pattern, "gm"))].slice(0, 1000).map(m => ({ all: m[0], first: m[1], named: m.groups && { ...m.groups } })))'

/** `1,234 ms` is no number that everybody reads alike. */
function toNumber(text: string): number {
  const trimmed = text.trim()
  return trimmed === '' ? Number.NaN : Number(trimmed)
}
