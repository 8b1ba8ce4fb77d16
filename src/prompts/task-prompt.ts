// The prompts of an attempt. The first one has the task's own words in full, and what else fits: the least important is cut
// first. The others are for an agent that continues, after an interruption or before it was done.
import { LIMITS, type Settings } from '../config.ts'
import type { Failure, PathList } from '../event.ts'
import type { Task } from '../task.ts'
import { safeLine, safeText } from '../text/safe.ts'
import type { Templates, TemplateValues } from './templates.ts'

export type PromptFacts = {
  task: Pick<Task, 'id' | 'title' | 'claims' | 'protected' | 'unprotected' | 'verify' | 'land' | 'completion'>
  prompt: string
  epic: string | null
  objective: string | null
  /** Policy for changes outside of claims. */
  claims: Settings['claims']
  landingVerify: readonly string[]
  /** `count`: of all needs; beyond `listed` they are only counted. */
  needs: { listed: readonly NeedFacts[]; count: number }
  expertise: readonly string[]
  /** Plan files in the repository, into which the run writes task statuses. */
  planFiles: readonly string[]
  mcp: boolean
  conflict: readonly string[] | null
  earlier: Earlier | null
  interrupted?: Interrupted | null
}

/** A task that has not run yet has a title only. */
export type NeedFacts = {
  id: string
  title: string
  summary: string | null
  touched: PathList | null
  commit: string | null
}

export type Earlier = { attempt: number; failure: Failure; outputTail: string }

/** An interrupted attempt whose work the next one continues. */
type Interrupted = Earlier & { hasWork: boolean }

export function taskPrompt(templates: Templates, facts: PromptFacts): string {
  return `${templates.fill('task', valuesOf(templates, facts))}\n`
}

function valuesOf(templates: Templates, facts: PromptFacts): TemplateValues<'task'> {
  const { task, conflict, earlier, interrupted } = facts
  const take = roomFor(LIMITS.promptChars)
  const about = aboutTask(facts)
  return {
    prompt: facts.prompt.trimEnd(),
    completion: take(task.completion ?? ''),
    id: take(about.id),
    earlier: take(earlier ? aboutEarlier(templates, earlier, conflict !== null) : ''),
    interrupted: take(interrupted ? aboutInterrupted(templates, interrupted) : ''),
    conflict: take(conflict ? templates.fill('conflict', { files: listed(conflict, LIMITS.promptLines) }) : ''),
    ...checks(facts, take),
    ...paths(facts, take),
    planFiles: take(named(facts.planFiles, facts.planFiles.length, PLAN_FILES)),
    guidelines: take(templates.fill('guidelines', about)),
    title: take(about.title),
    epic: take(about.epic),
    objective: take(about.objective),
    needs: take(aboutNeeds(templates, facts.needs)),
    expertise: take(listed(facts.expertise, LIMITS.promptLines)),
    lands: about.lands,
    mcp: yes(facts.mcp),
  }
}

/** Leaves out a title that only repeats the beginning of the prompt. */
function aboutTask({ task, prompt, epic, objective }: PromptFacts): TemplateValues<'guidelines'> {
  const title = shortLine(task.title)
  const isRepeated = prompt.trimStart().startsWith(task.title)
  return {
    id: task.id,
    title: isRepeated ? '' : title,
    epic: shortLine(epic ?? ''),
    objective: shortLine(objective ?? ''),
    lands: yes(task.land),
  }
}

function checks({ task, landingVerify }: PromptFacts, take: Take) {
  const verify = take(commands(task.verify))
  const landing = take(commands(landingVerify))
  return { verify, landing, checks: yes(verify !== '' || landing !== '') }
}

function paths({ task, claims: policy }: PromptFacts, take: Take) {
  const { write, read } = task.claims
  const guarded = task.protected ?? []
  return {
    claims: yes(write.length + read.length > 0),
    write: take(listed(write, LIMITS.promptLines)),
    read: take(listed(read, LIMITS.promptLines)),
    enforced: yes(policy === 'enforce'),
    extended: yes(policy === 'extend'),
    protected: take(listed(guarded, LIMITS.promptLines)),
    unprotected: take(guarded.length > 0 ? listed(task.unprotected ?? [], LIMITS.promptLines) : ''),
  }
}

function commands(all: readonly string[]): string {
  const shown = all.slice(0, LIMITS.promptLines).map((command) => indented(shortened(command, COMMAND_CHARS)))
  if (all.length > shown.length) shown.push(`    # … and ${all.length - shown.length} more`)
  return shown.join('\n')
}

function aboutNeeds(templates: Templates, { listed: needs, count }: PromptFacts['needs']): string {
  const shown = needs.slice(0, LIMITS.promptNeeds).map((need) => templates.fill('need', aboutNeed(need)))
  return [...shown, ...(count > shown.length ? [`- … and ${count - shown.length} more`] : [])].join('\n')
}

function aboutNeed({ id, title, summary, touched, commit }: NeedFacts): TemplateValues<'need'> {
  return {
    id,
    title: shortLine(title),
    summary: shortLine(summary ?? '', SUMMARY_CHARS),
    files: touched ? named(touched.paths, touched.count, LIMITS.promptNeedFiles) : '',
    commit: commit?.slice(0, 12) ?? '',
  }
}

function aboutEarlier(templates: Templates, earlier: Earlier, inConflict: boolean): string {
  const { failure } = earlier
  return templates.fill('earlier', {
    ...endOf(earlier, FAILURE_CHARS),
    // The reason alone does not say that the work was fine until it was merged with that of others.
    merged: yes(failure.reason === 'landing-failed'),
    paths: listed(failure.paths ?? [], LIMITS.failurePaths),
    conflict: yes(inConflict),
  })
}

function endOf({ attempt, failure, outputTail }: Earlier, messageChars: number) {
  const message = setOff(shortened(failure.message, messageChars))
  return { attempt: String(attempt), reason: failure.reason, message, output: indented(outputTail) }
}

function yes(is: boolean): string {
  return is ? 'yes' : ''
}

/** For an agent that is asked to continue its conversation. */
export function interruptedPrompt(templates: Templates, interrupted: Interrupted): string {
  return `${aboutInterrupted(templates, { ...interrupted, outputTail: '' }, true)}\n`
}

function aboutInterrupted(templates: Templates, interrupted: Interrupted, remembers = false): string {
  return templates.fill('interrupted', {
    ...endOf(interrupted, INTERRUPTION_CHARS),
    remembers: yes(remembers),
    work: yes(interrupted.hasWork),
  })
}

/** `first`: its first prompt; null: the conversation has it. */
export function followUpPrompt(
  templates: Templates,
  { failure, completion, first }: { failure: Failure; completion: string | null; first: string | null },
): string {
  const text = templates.fill('follow-up', {
    first: first?.trimEnd() ?? '',
    incomplete: yes(failure.reason === 'incomplete'),
    message: setOff(failure.message),
    completion: completion ?? '',
  })
  return `${text}\n`
}

/** Most files to name of a plan that is a folder. */
const PLAN_FILES = 3
const COMMAND_CHARS = 1_000
const SUMMARY_CHARS = 1_000
/** More than a failure message with the end of a command's output. */
const FAILURE_CHARS = 8_000
const INTERRUPTION_CHARS = 500

// Foreign texts: bounded and safe.

/** Cuts a text to the room that is left. */
type Take = (text: string) => string

/** Hands out a number of characters, to the most important texts first. */
function roomFor(chars: number): Take {
  let left = chars
  return (text) => {
    const taken = shortened(text, left)
    left = Math.max(0, left - taken.length)
    return taken
  }
}

function listed(entries: readonly string[], most: number): string {
  const lines = entries.slice(0, most).map((entry) => `- ${shortLine(entry)}`)
  if (entries.length > most) lines.push(`- … and ${entries.length - most} more`)
  return lines.join('\n')
}

/** `` `a`, `b` and more (9 files in all) ``: a path may be a folder that stands for its files. */
function named(paths: readonly string[], count: number, most: number): string {
  const shown = paths.slice(0, most).map((path) => `\`${shortLine(path)}\``)
  const more = paths.length > most ? ` and more (${count} files in all)` : ''
  return shown.join(', ') + more
}

function indented(text: string): string {
  const safe = safeText(text).trimEnd()
  return safe === '' ? '' : safe.replace(/^/gm, '    ')
}

/** The first line as it is, the output of a command after it indented: it may look like a prompt itself. */
function setOff(message: string): string {
  const [said = '', ...printed] = safeText(message).split('\n')
  return printed.length === 0 ? said : `${said}\n${indented(printed.join('\n'))}`
}

function shortLine(text: string, most = LINE_CHARS): string {
  return shortened(safeLine(text), most)
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  // Never half of a character.
  const kept = text.slice(0, Math.max(0, most - NOTE.length)).replace(/[\ud800-\udbff]$/, '')
  return kept === '' ? '' : kept + NOTE
}

const LINE_CHARS = 300
const NOTE = ' … (cut)'
