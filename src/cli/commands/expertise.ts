import { join, relative, resolve } from 'node:path'
import {
  addLesson,
  countDamaged,
  editLesson,
  exportLessons,
  listLessons,
  readLesson,
} from '../../engine/expertise/manage-lessons.ts'
import type { Lesson } from '../../learning-records.ts'
import { ok, type Result, refuse } from '../../problem.ts'
import { count } from '../../text/figures.ts'
import { safeLine } from '../../text/safe.ts'
import { flag, help, inWorkspace, ONE_OBJECT } from '../command-line/command.ts'
import { filled, share } from '../command-line/flag-values.ts'
import { EXIT } from '../exit-status.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { lookOf } from '../surroundings.ts'
import { domainLines, lessonLines } from '../tables/lessons-table.ts'
import { writeInto } from '../terminal/write-page.ts'

export const commands = {
  list: inWorkspace(
    { json: ONE_OBJECT },
    help(
      `Lessons of earlier tasks by domain: confidence, id, kind, and the text that agents get.
Without DOMAIN: all of them.`,
      '0, or 2 if nothing is known of that domain.',
      'espalier expertise',
      'espalier expertise list database',
      "espalier expertise list --json | jq '.domains[].lessons[].text'",
    ),
    async (here, _, domain: string | undefined) => {
      const warned = await warnOfDamage(here)
      const listed = warned.ok ? await listLessons(here.workspace, { domain }) : warned
      if (!listed.ok) return listed
      const lines = domainLines(listed.value, lookOf(here))
      return { json: { domains: listed.value }, lines, none: 'no lessons yet: runs add them' }
    },
  ),
  show: inWorkspace(
    { json: flag('--json', 'print {lesson} as JSON') },
    help(
      `ID may be abbreviated. Shows where the lesson was seen (run, task, session, commit) and the results of tasks that had it in
their prompt.`,
      '0, or 2 if there is no such lesson.',
      'espalier expertise show 3f2a91c0de',
    ),
    async (here, _, id: string) => {
      const read = await readLesson(here.workspace, { id })
      return read.ok ? { json: { lesson: read.value }, lines: lessonLines(read.value, lookOf(here)) } : read
    },
  ),
  edit: inWorkspace(
    {
      text: flag('--text <text>', 'the new text', filled('--text')),
      confidence: flag('--confidence <n>', 'how far to trust it, from 0 to 1', share),
      json: ONE_OBJECT,
    },
    help(
      `The text becomes one line without secrets. A confidence of 0 drops the lesson. Works during a run: the next prompt has
the new text.`,
      '0, or 2 if there is no such lesson or nothing to change.',
      "espalier expertise edit 3f2a --text 'Run npm run codegen after a change of schema.graphql.'",
      'espalier expertise edit 3f2a --confidence 0.95',
    ),
    async ({ workspace }, { text, confidence }, id: string) => {
      if (text === undefined && confidence === undefined) return refuse('say what to change: --text or --confidence')
      return changed(await editLesson(workspace, { id, text, confidence }))
    },
  ),
  add: inWorkspace(
    {
      domain: flag('--domain <domain>', 'the kind of tasks it is for; default: general (all tasks)'),
      json: ONE_OBJECT,
    },
    help(
      `Tasks of its domain get the lesson in their prompt; lessons of the domain general go to all tasks. If the files it names
are removed, the lesson is dropped.`,
      '0, or 2 if there is no such domain, or the lesson is known already.',
      "espalier expertise add 'Never edit db/generated.sql: it is made by npm run schema.' --domain database",
    ),
    async ({ workspace }, { domain }, text: string) => changed(await addLesson(workspace, { text, domain })),
  ),
  export: inWorkspace(
    {
      output: flag(
        '-o, --output <file>',
        'write it here; - is stdout; default: .espalier/expertise.md in the repository',
      ),
      json: flag('--json', 'print {file, lessons} as JSON'),
    },
    help(
      `Lessons by domain, the most trusted first, each with its confidence. Secrets are removed once more.`,
      '0, or 2 if the file cannot be written.',
      'espalier expertise export',
      'espalier expertise export -o - | less',
    ),
    async ({ workspace, env: environment, out, cwd }, { output }) => {
      const made = await exportLessons(workspace, { environment })
      if (!made.ok) return made
      const { text, lessons } = made.value
      if (output === '-') {
        out.write(text)
        return EXIT.done
      }
      const file = relative(
        cwd,
        output === undefined ? join(workspace.repo, '.espalier', 'expertise.md') : resolve(cwd, output),
      )
      const trouble = await writeInto({ file, cwd, isOver: true }, text)
      if (trouble) return refuse(trouble)
      return { json: { file, lessons }, lines: [`${count(lessons, 'lesson')} written to ${file}`] }
    },
  ),
}

/** Warns about lessons that a damaged disk has made unreadable; they are left out. */
export async function warnOfDamage({ workspace, err }: InWorkspace): Promise<Result<null>> {
  const damaged = await countDamaged(workspace)
  if (!damaged.ok) return damaged
  const what = damaged.value === 1 ? '1 lesson is' : `${damaged.value} lessons are`
  if (damaged.value > 0) err.write(`warning: ${what} damaged and left out; all others are used as before\n`)
  return ok(null)
}

function changed(lesson: Result<Lesson>): Done {
  if (!lesson.ok) return lesson
  return { json: { lesson: lesson.value }, lines: [`${lesson.value.id}  ${safeLine(lesson.value.text)}`] }
}
