import type { Settings } from '../../config.ts'
import type { Result } from '../../index.ts'
import { addLesson, editLesson, listLessons, pruneLessons, readLesson } from '../../internal.ts'
import { ok, refuse } from '../../problem.ts'
import { safeLine } from '../../text/safe.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { warnOfDamage } from '../hints/damaged.ts'
import { findWorkspace, type RepositoryFlags } from '../inputs/repository.ts'
import { count } from '../live/event-line.ts'
import { refuseWith } from '../refusal.ts'
import { lookOf, type Surroundings } from '../surroundings.ts'
import { historyLines, lessonLines } from '../tables/lessons.ts'
import { edited } from '../terminal/editor.ts'
import { printJson, printLines } from '../terminal/print.ts'

type Flags = RepositoryFlags & { json?: boolean }

export async function listAll(
  domain: string | undefined,
  flags: Flags,
  surroundings: Surroundings,
): Promise<ExitStatus> {
  return withLearning(flags, surroundings, async (workspace, learning) => {
    const warned = await warnOfDamage(workspace, surroundings)
    if (!warned.ok) return warned
    const listed = await listLessons(workspace, { learning, domain })
    if (!listed.ok) return listed
    if (flags.json) printJson({ domains: listed.value }, surroundings)
    else if (listed.value.length === 0) surroundings.err.write('no lessons yet: runs add them\n')
    else printLines(lessonLines(listed.value, lookOf(surroundings)), surroundings)
    return listed
  })
}

export async function show(id: string, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  return withLearning(flags, surroundings, async (workspace) => {
    const read = await readLesson(workspace, { id })
    if (!read.ok) return read
    if (flags.json) printJson(read.value, surroundings)
    else printLines(historyLines(read.value, lookOf(surroundings)), surroundings)
    return read
  })
}

type EditFlags = Flags & { text?: string; confidence?: number }

export async function edit(id: string, flags: EditFlags, surroundings: Surroundings): Promise<ExitStatus> {
  const { confidence } = flags
  const asks = flags.text === undefined && confidence === undefined
  return withLearning(flags, surroundings, async (workspace) => {
    const text: Result<string | undefined> = asks ? await inEditor(workspace, id, surroundings) : ok(flags.text)
    if (!text.ok) return text
    const changed = await editLesson(workspace, { id, text: text.value, confidence })
    if (changed.ok) tellLesson(changed.value, flags, surroundings)
    return changed
  })
}

async function inEditor(workspace: Workspace, id: string, surroundings: Surroundings): Promise<Result<string>> {
  const read = await readLesson(workspace, { id })
  if (!read.ok) return read
  const { lesson } = read.value
  return lesson
    ? edited(lesson.text, surroundings)
    : refuse(`lesson ${id} was dropped: \`espalier expertise show ${id}\``)
}

export async function add(
  text: string,
  flags: Flags & { domain?: string },
  surroundings: Surroundings,
): Promise<ExitStatus> {
  return withLearning(flags, surroundings, async (workspace, learning) => {
    const added = await addLesson(workspace, { learning, text, domain: flags.domain })
    if (added.ok) tellLesson(added.value, flags, surroundings)
    return added
  })
}

function tellLesson(lesson: { id: string; text: string }, { json }: Flags, surroundings: Surroundings): void {
  if (json) printJson({ lesson }, surroundings)
  else printLines([`${lesson.id}  ${safeLine(lesson.text)}`], surroundings)
}

export async function prune(flags: Flags & { dryRun?: boolean }, surroundings: Surroundings): Promise<ExitStatus> {
  return withLearning(flags, surroundings, async (workspace, learning) => {
    const pruned = await pruneLessons(workspace, { learning, dryRun: flags.dryRun })
    if (!pruned.ok) return pruned
    if (flags.json) {
      printJson({ dryRun: flags.dryRun ?? false, dropped: pruned.value }, surroundings)
      return pruned
    }
    const { dim } = surroundings.outPalette
    const did = flags.dryRun ? 'would drop' : 'dropped'
    const lines = pruned.value.map(({ lesson, why }) => `${did}  ${lesson.id}  ${safeLine(lesson.text)}  ${dim(why)}`)
    printLines([...lines, lines.length === 0 ? 'nothing to drop' : count(lines.length, 'lesson')], surroundings)
    return pruned
  })
}

export async function withLearning(
  flags: RepositoryFlags,
  surroundings: Surroundings,
  act: (workspace: Workspace, learning: Settings['learning']) => Promise<Result<unknown>>,
): Promise<ExitStatus> {
  const found = await findWorkspace(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const { workspace, settings } = found.value
  const done = await act(workspace, settings.learning)
  return done.ok ? EXIT.done : refuseWith(done.problems, surroundings)
}
