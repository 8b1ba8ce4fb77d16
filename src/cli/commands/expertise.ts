import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { Result } from '../../index.ts'
import { addLesson, editLesson, exportLessons, type Lesson, listLessons, readLesson } from '../../internal.ts'
import { ok, refuse } from '../../problem.ts'
import { safeLine } from '../../text/safe.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { warnOfDamage } from '../hints/damaged.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { count } from '../live/event-line.ts'
import { refuseWith } from '../refusal.ts'
import { lookOf, type Surroundings } from '../surroundings.ts'
import { domainLines, lessonLines } from '../tables/lessons.ts'
import { edited } from '../terminal/editor.ts'
import { printJson, printLines } from '../terminal/print.ts'

type Flags = RepositoryFlags & { json?: boolean }

export async function listAll(
  domain: string | undefined,
  flags: Flags,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  return inWorkspace(flags, surroundings, async (workspace) => {
    const warned = await warnOfDamage(workspace, surroundings)
    if (!warned.ok) return warned
    const listed = await listLessons(workspace, { domain })
    if (!listed.ok) return listed
    if (flags.json) printJson({ domains: listed.value }, surroundings)
    else if (listed.value.length === 0) surroundings.err.write('no lessons yet: runs add them\n')
    else printLines(domainLines(listed.value, lookOf(surroundings)), surroundings)
    return listed
  })
}

export async function show(id: string, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  return inWorkspace(flags, surroundings, async (workspace) => {
    const read = await readLesson(workspace, { id })
    if (!read.ok) return read
    if (flags.json) printJson({ lesson: read.value }, surroundings)
    else printLines(lessonLines(read.value, lookOf(surroundings)), surroundings)
    return read
  })
}

type EditFlags = Flags & { text?: string; confidence?: number }

export async function edit(id: string, flags: EditFlags, surroundings: Surroundings): Promise<ExitStatus> {
  const { confidence } = flags
  const asks = flags.text === undefined && confidence === undefined
  return inWorkspace(flags, surroundings, async (workspace) => {
    const text: Result<string | undefined> = asks ? await inEditor(workspace, id, surroundings) : ok(flags.text)
    if (!text.ok) return text
    return printChanged(await editLesson(workspace, { id, text: text.value, confidence }), flags, surroundings)
  })
}

async function inEditor(workspace: Workspace, id: string, surroundings: Surroundings): Promise<Result<string>> {
  const read = await readLesson(workspace, { id })
  return read.ok ? edited(read.value.text, surroundings) : read
}

export async function add(
  text: string,
  flags: Flags & { domain?: string },
  surroundings: Surroundings,
): Promise<ExitStatus> {
  return inWorkspace(flags, surroundings, async (workspace) =>
    printChanged(await addLesson(workspace, { text, domain: flags.domain }), flags, surroundings),
  )
}

function printChanged(changed: Result<Lesson>, { json }: Flags, surroundings: Surroundings): Result<Lesson> {
  if (!changed.ok) return changed
  const { id, text } = changed.value
  if (json) printJson({ lesson: changed.value }, surroundings)
  else printLines([`${id}  ${safeLine(text)}`], surroundings)
  return changed
}

const FILE = join('.espalier', 'expertise.md')

export async function exportTo(flags: Flags & { output?: string }, surroundings: Surroundings): Promise<ExitStatus> {
  return inWorkspace(flags, surroundings, async (workspace) => {
    const made = await exportLessons(workspace, { environment: surroundings.env })
    if (!made.ok) return made
    const { text, lessons } = made.value
    if (flags.output === '-') {
      surroundings.out.write(text)
      return made
    }
    const file = flags.output === undefined ? join(workspace.repo, FILE) : resolve(surroundings.cwd, flags.output)
    try {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    } catch (error) {
      return refuse(`cannot be written: ${(error as Error).message}. Choose another file with --output`)
    }
    const name = relative(surroundings.cwd, file)
    if (flags.json) printJson({ file: name, lessons }, surroundings)
    else surroundings.out.write(`${count(lessons, 'lesson')} written to ${name}\n`)
    return made
  })
}

async function inWorkspace(
  flags: RepositoryFlags,
  surroundings: Surroundings,
  act: (workspace: Workspace) => Promise<Result<unknown>>,
): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const done = await act(found.value.workspace)
  return done.ok ? EXIT.done : refuseWith(done.problems, surroundings)
}
