// The first prompt of an attempt: the task's own in full, and what else fits. The least important is cut first.
import { LIMITS } from '../config.ts'
import type { Failure } from '../event.ts'
import { indented, listed, named, Room, setOff, shortened, shortLine } from './bounded.ts'
import { aboutInterrupted } from './continue.ts'
import type { Earlier, NeedFacts, PromptFacts } from './facts.ts'
import type { Templates } from './templates.ts'
import type { TemplateValues } from './variables.ts'

export function taskPrompt(templates: Templates, facts: PromptFacts): string {
  return `${templates.fill('task', valuesOf(templates, facts))}\n`
}

function valuesOf(templates: Templates, facts: PromptFacts): TemplateValues<'task'> {
  const { task, conflict, earlier, interrupted } = facts
  const room = new Room(LIMITS.promptChars)
  const about = aboutTask(facts)
  return {
    prompt: facts.prompt.trimEnd(),
    completion: room.take(task.completion ?? ''),
    id: room.take(about.id),
    earlier: room.take(earlier ? aboutEarlier(templates, earlier, conflict !== null) : ''),
    interrupted: room.take(interrupted ? aboutInterrupted(templates, interrupted) : ''),
    conflict: room.take(conflict ? templates.fill('conflict', { files: listed(conflict, LIMITS.promptLines) }) : ''),
    ...checks(facts, room),
    ...paths(facts, room),
    planFiles: room.take(named(facts.planFiles, facts.planFiles.length, PLAN_FILES)),
    guidelines: room.take(templates.fill('guidelines', about)),
    title: room.take(about.title),
    epic: room.take(about.epic),
    objective: room.take(about.objective),
    needs: room.take(aboutNeeds(templates, facts.needs)),
    expertise: room.take(listed(facts.expertise, LIMITS.promptLines)),
    lands: yes(task.land),
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
  }
}

function checks({ task, landingVerify }: PromptFacts, room: Room) {
  const verify = room.take(commands(task.verify))
  const landing = room.take(commands(landingVerify))
  return { verify, landing, checks: yes(verify !== '' || landing !== '') }
}

function paths({ task, claims: policy }: PromptFacts, room: Room) {
  const { write, read } = task.claims
  const guarded = task.protected ?? []
  return {
    claims: yes(write.length + read.length > 0),
    write: room.take(listed(write, LIMITS.promptLines)),
    read: room.take(listed(read, LIMITS.promptLines)),
    enforced: yes(policy === 'enforce'),
    extended: yes(policy === 'extend'),
    protected: room.take(listed(guarded, LIMITS.promptLines)),
    unprotected: room.take(guarded.length > 0 ? listed(task.unprotected ?? [], LIMITS.promptLines) : ''),
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

function aboutEarlier(templates: Templates, { attempt, failure, outputTail }: Earlier, inConflict: boolean): string {
  const output = indented(outputTail)
  return templates.fill('earlier', {
    attempt: String(attempt),
    reason: failure.reason,
    message: setOff(shortened(failure.message, FAILURE_CHARS)),
    merged: yes(IN_MERGED_RESULT.has(failure.reason)),
    paths: listed(failure.paths ?? [], LIMITS.failurePaths),
    output: output.trim() === '' ? '' : output,
    conflict: yes(inConflict),
  })
}

/** The reason alone does not say that the work was fine until it was merged with that of others. */
const IN_MERGED_RESULT: ReadonlySet<Failure['reason']> = new Set(['landing-failed'])

function yes(is: boolean): string {
  return is ? 'yes' : ''
}

/** Most files to name of a plan that is a folder. */
const PLAN_FILES = 3
const COMMAND_CHARS = 1_000
const SUMMARY_CHARS = 1_000
/** More than a failure message with the end of a command's output. */
const FAILURE_CHARS = 8_000
