import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import {
  addLesson,
  countDamaged,
  editLesson,
  exportLessons,
  listLessons,
  readLesson,
} from '../../engine/expertise/lessons.ts'
import type { Lesson } from '../../lesson.ts'
import type { Result } from '../../problem.ts'
import { ok, refuse } from '../../problem.ts'
import { count } from '../../text/count.ts'
import { safeLine } from '../../text/safe.ts'
import { EXIT } from '../exit-status.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import { lookOf } from '../surroundings.ts'
import { domainLines, lessonLines } from '../tables/lessons.ts'
import { edited } from '../terminal/editor.ts'
import { printJson, printLines } from '../terminal/print.ts'

type Flags = { json?: boolean }

export async function listAll(domain: string | undefined, flags: Flags, here: InWorkspace): Promise<Done> {
  const warned = await warnOfDamage(here)
  if (!warned.ok) return warned
  const listed = await listLessons(here.workspace, { domain })
  if (!listed.ok) return listed
  if (flags.json) return printJson({ domains: listed.value }, here)
  if (listed.value.length > 0) return printLines(domainLines(listed.value, lookOf(here)), here)
  here.err.write('no lessons yet: runs add them\n')
  return EXIT.done
}

/** Lessons that a damaged disk has made unreadable are left out. */
export async function warnOfDamage({ workspace, err }: InWorkspace): Promise<Result<null>> {
  const damaged = await countDamaged(workspace)
  if (!damaged.ok) return damaged
  const what = damaged.value === 1 ? '1 lesson is' : `${damaged.value} lessons are`
  if (damaged.value > 0) err.write(`warning: ${what} damaged and left out; all others are used as before\n`)
  return ok(null)
}

export async function show(id: string, flags: Flags, here: InWorkspace): Promise<Done> {
  const read = await readLesson(here.workspace, { id })
  if (!read.ok) return read
  return flags.json ? printJson({ lesson: read.value }, here) : printLines(lessonLines(read.value, lookOf(here)), here)
}

type EditFlags = Flags & { text?: string; confidence?: number }

export async function edit(id: string, flags: EditFlags, here: InWorkspace): Promise<Done> {
  const { confidence } = flags
  const asks = flags.text === undefined && confidence === undefined
  const text: Result<string | undefined> = asks ? await inEditor(id, here) : ok(flags.text)
  if (!text.ok) return text
  return printChanged(await editLesson(here.workspace, { id, text: text.value, confidence }), flags, here)
}

async function inEditor(id: string, here: InWorkspace): Promise<Result<string>> {
  const read = await readLesson(here.workspace, { id })
  return read.ok ? edited(read.value.text, here) : read
}

export async function add(text: string, flags: Flags & { domain?: string }, here: InWorkspace): Promise<Done> {
  return printChanged(await addLesson(here.workspace, { text, domain: flags.domain }), flags, here)
}

function printChanged(changed: Result<Lesson>, { json }: Flags, here: InWorkspace): Done {
  if (!changed.ok) return changed
  const { id, text } = changed.value
  return json ? printJson({ lesson: changed.value }, here) : printLines([`${id}  ${safeLine(text)}`], here)
}

const FILE = join('.espalier', 'expertise.md')

export async function exportTo(flags: Flags & { output?: string }, here: InWorkspace): Promise<Done> {
  const made = await exportLessons(here.workspace, { environment: here.env })
  if (!made.ok) return made
  const { text, lessons } = made.value
  if (flags.output === '-') {
    here.out.write(text)
    return EXIT.done
  }
  const file = flags.output === undefined ? join(here.workspace.repo, FILE) : resolve(here.cwd, flags.output)
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  } catch (error) {
    return refuse(`cannot be written: ${(error as Error).message}. Choose another file with --output`)
  }
  const name = relative(here.cwd, file)
  if (flags.json) return printJson({ file: name, lessons }, here)
  return printLines([`${count(lessons, 'lesson')} written to ${name}`], here)
}
