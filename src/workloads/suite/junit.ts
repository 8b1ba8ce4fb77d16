// JUnit XML, as the test runners of this world write it: counts, the time of each test file, and the cases for one merged
// file. Whatever stands in it is data: no entity is expanded but the five of XML, and depth and size have limits.
import sax from 'sax'
import { LIMITS } from '../../config.ts'

export type JunitCase = {
  name: string
  suite: string
  /** The test file, where the runner says it. */
  file: string | null
  ms: number
  outcome: 'passed' | 'failed' | 'error' | 'skipped'
  /** Why it failed. */
  message: string
}

type Junit = { cases: JunitCase[]; cutShort: boolean }

/** Reads JUnit XML; null: it is something else. */
export function readJunit(text: string): Junit | null {
  const parser = sax.parser(true, { trim: false })
  const cases: JunitCase[] = []
  const suites: { name: string; file: string | null }[] = []
  let current: JunitCase | null = null
  let isJunit = false
  let cutShort = false
  let inFailure = false
  parser.onopentag = ({ name, attributes }) => {
    const get = (key: string): string | null => (typeof attributes[key] === 'string' ? attributes[key] : null)
    if (name === 'testsuites' || name === 'testsuite') isJunit = true
    if (name === 'testsuite')
      suites.push({ name: get('name') ?? '', file: get('file') ?? get('filepath') ?? suites.at(-1)?.file ?? null })
    else if (name === 'testcase') {
      const around = suites.at(-1)
      const file = get('file') ?? around?.file ?? null
      const suite = get('classname') ?? around?.name ?? ''
      const ms = Math.max(0, Number(get('time') ?? 0) * 1_000) || 0
      current = { name: get('name') ?? '', suite, file, ms, outcome: 'passed', message: '' }
    } else if (current && (name === 'failure' || name === 'error')) {
      current.outcome = name === 'failure' ? 'failed' : 'error'
      current.message = get('message') ?? ''
      inFailure = true
    } else if (current && name === 'skipped' && current.outcome === 'passed') current.outcome = 'skipped'
  }
  const said = (words: string) => {
    if (inFailure && current && current.message.length < LIMITS.messageChars) current.message += words
  }
  parser.ontext = said
  parser.oncdata = said
  parser.onclosetag = (name) => {
    if (name === 'testsuite') suites.pop()
    if (name === 'failure' || name === 'error') inFailure = false
    if (name !== 'testcase' || !current) return
    if (cases.length < LIMITS.junitCases)
      cases.push({ ...current, message: current.message.trim().slice(0, LIMITS.messageChars) })
    else cutShort = true
    current = null
  }
  parser.onerror = () => {
    cutShort = true
  }
  try {
    parser.write(text).close()
  } catch {
    // A runner that was ended in the middle leaves half a file: what it says of cases that are over counts.
    cutShort = true
  }
  return isJunit ? { cases, cutShort } : null
}

/** `tests` is all of them; `failures`, `errors` and `skipped` are among them. */
export function junitCounts(cases: readonly JunitCase[]): Record<'tests' | 'failures' | 'errors' | 'skipped', number> {
  const count = (outcome: JunitCase['outcome']) => cases.filter((one) => one.outcome === outcome).length
  return { tests: cases.length, failures: count('failed'), errors: count('error'), skipped: count('skipped') }
}

/**
 * Time of each of these files. A runner names the file of a case, the suite is called by it (vitest), or the class is
 * its path with dots (pytest). Other cases are left out.
 */
export function fileTimes(cases: readonly JunitCase[], files: readonly string[]): Map<string, number> {
  const times = new Map<string, number>()
  const known = new Set(files)
  const dotted = new Map(files.map((file) => [file.replace(/\.[^./]+$/, '').replaceAll('/', '.'), file]))
  for (const { file, suite, ms } of cases) {
    // Runners name files by their whole path, which begins with the worktree.
    const named = [file ?? '', suite].flatMap((name) => [name, ...pathEnds(name)]).find((name) => known.has(name))
    const found = named ?? classFile(suite, dotted)
    if (found !== undefined) times.set(found, (times.get(found) ?? 0) + ms)
  }
  return times
}

function classFile(suite: string, dotted: ReadonlyMap<string, string>): string | undefined {
  for (let name = suite; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const found = dotted.get(name)
    if (found !== undefined) return found
  }
}

function* pathEnds(path: string): Generator<string> {
  for (let position = path.indexOf('/'); position !== -1; position = path.indexOf('/', position + 1))
    yield path.slice(position + 1)
}

/** Test files that the cases name by a path inside the worktree, for commands whose files are unknown. */
export function filesNamed(cases: readonly JunitCase[]): string[] {
  return [...new Set(cases.flatMap(({ file }) => (file !== null && !file.startsWith('/') ? [file] : [])))]
}
