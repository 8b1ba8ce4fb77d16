// Messages of engine-made commits. The trailers say which tasks a commit carries: after a crash they are how a landing
// that was not recorded is found again, so they are always the last paragraph, whatever the title and body say.
import type { Identity } from '../user/repository.ts'

export type CommitWords = {
  title: string
  body?: string | undefined
  run: string
  tasks: readonly TaskAttempt[]
  /** References to decisions behind the work, such as `ADR-12`. */
  decisions?: readonly string[] | undefined
  coAuthors?: readonly Identity[] | undefined
  signOff?: Identity | null | undefined
}
export type TaskAttempt = { task: string; attempt: number }

export function commitMessage(words: CommitWords): string {
  const { title, body } = words
  const subject =
    title
      .replace(/[\s\0]+/g, ' ')
      .trim()
      .slice(0, MAX_TITLE_CHARS) || 'Work of a task'
  const text = (body ?? '').replaceAll('\0', '').replaceAll('\r\n', '\n').trim().slice(0, MAX_BODY_CHARS)
  return `${[subject, text, trailersOf(words).join('\n')].filter((part) => part !== '').join('\n\n')}\n`
}

/** The message of an agent's own commit, with the trailers of `words` in place of any of the engine's. */
export function takenOver(message: string, words: CommitWords | null, signOff: Identity | null): string {
  const kept = message
    .slice(0, MAX_BODY_CHARS)
    .replaceAll('\0', '')
    .split('\n')
    .filter((line) => !OUR_TRAILER.test(line) && !DECISION.test(line))
    .join('\n')
    .trim()
  const own = words ? trailersOf({ ...words, signOff }) : signOff ? [signedOffBy(signOff)] : []
  const lines = own.filter((line) => !kept.split('\n').includes(line))
  if (kept === '') return `${[words?.title ?? 'Work of a task', lines.join('\n')].join('\n\n').trim()}\n`
  if (lines.length === 0) return `${kept}\n`
  const paragraphs = kept.split(/\n[ \t]*\n/)
  const endsInTrailers =
    paragraphs.length > 1 &&
    paragraphs
      .at(-1)
      ?.split('\n')
      .every((line) => TRAILER.test(line))
  return `${kept}${endsInTrailers ? '\n' : '\n\n'}${lines.join('\n')}\n`
}

function trailersOf({ run, tasks, decisions = [], coAuthors = [], signOff }: CommitWords): string[] {
  return [
    `Espalier-Run: ${run}`,
    ...tasks.flatMap(({ task, attempt }) => [`Espalier-Task: ${task}`, `Espalier-Attempt: ${attempt}`]),
    ...decisions.map((decision) => `Espalier-Decision: ${decision.replace(/[\s\0]+/g, ' ')}`),
    ...coAuthors.map((author) => `Co-authored-by: ${inOneLine(author)}`),
    ...(signOff ? [signedOffBy(signOff)] : []),
  ]
}

function signedOffBy(identity: Identity): string {
  return `Signed-off-by: ${inOneLine(identity)}`
}

function inOneLine({ name, email }: Identity): string {
  return `${name} <${email}>`.replace(/[\s\0]+/g, ' ')
}

/** Whether the engine made the commit. An agent that claims this only loses its name on the commit. */
export function isEngineMade(message: string): boolean {
  return message.split('\n').some((line) => OUR_TRAILER.test(line))
}

const OUR_TRAILER = /^Espalier-(Run|Task|Attempt):/i
/** Written by the engine, but no sign of its hand: an agent may name a decision too. */
const DECISION = /^Espalier-Decision:/i
const TRAILER = /^[A-Za-z0-9-]+: \S/

export function tasksOf(message: string, run: string): TaskAttempt[] | null {
  const trailers = readTrailers(message)
  return trailers?.run === run ? trailers.tasks : null
}

export type Trailers = { run: string; tasks: TaskAttempt[]; decisions: string[] }

/** The trailers of a commit; null: it is of no run. Anybody can write such lines. */
export function readTrailers(message: string): Trailers | null {
  const last =
    message
      .trimEnd()
      .split(/\n[ \t]*\n/)
      .at(-1) ?? ''
  const [tasks, decisions]: [TaskAttempt[], string[]] = [[], []]
  let run: string | null = null
  let task: string | null = null
  for (const line of last.split('\n')) {
    const [, decision] = /^Espalier-Decision: (.*\S)/.exec(line) ?? []
    if (decision !== undefined) decisions.push(decision)
    const [, key, value] = /^Espalier-(Run|Task|Attempt): (\S+)$/.exec(line) ?? []
    if (value === undefined) continue
    if (key === 'Run') run = value
    else if (key === 'Task') task = value
    else if (task !== null) {
      tasks.push({ task, attempt: Number(value) })
      task = null
    }
  }
  return run === null ? null : { run, tasks, decisions }
}

const MAX_TITLE_CHARS = 200
const MAX_BODY_CHARS = 64_000
