import { existsSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { Result } from '../../index.ts'
import { exportLessons, importLessons } from '../../internal.ts'
import { ok, problem, refuse } from '../../problem.ts'
import { safeLine } from '../../text/safe.ts'
import type { ExitStatus } from '../exit-status.ts'
import type { RepositoryFlags } from '../inputs/repository.ts'
import { count } from '../live/event-line.ts'
import type { Surroundings } from '../surroundings.ts'
import { printJson } from '../terminal/print.ts'
import { withLearning } from './expertise.ts'

const FILE = join('.espalier', 'expertise.jsonl')

export async function exportTo(
  flags: RepositoryFlags & { output?: string; json?: boolean },
  surroundings: Surroundings,
): Promise<ExitStatus> {
  return withLearning(flags, surroundings, async (workspace) => {
    const file = flags.output === undefined ? join(workspace.repo, FILE) : resolve(surroundings.cwd, flags.output)
    const name = relative(surroundings.cwd, file) || file
    const toStdout = flags.output === '-'
    const before: Result<string | null> = existsSync(file) && !toStdout ? await textOf(file, name) : ok(null)
    if (!before.ok) return before
    const replaces = before.value === null ? undefined : { text: before.value, file: name }
    const made = await exportLessons(workspace, { environment: surroundings.env, replaces })
    if (!made.ok) return made
    if (toStdout) {
      surroundings.out.write(made.value.text)
      return made
    }
    try {
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, made.value.text)
    } catch (error) {
      return refuse(`cannot be written: ${(error as Error).message}. Choose another file with --output`)
    }
    if (flags.json) printJson({ file: name, lessons: made.value.lessons }, surroundings)
    else surroundings.out.write(`${count(made.value.lessons, 'lesson')} written to ${name}\n`)
    return made
  })
}

export async function importFrom(
  name: string,
  flags: RepositoryFlags & { dryRun?: boolean; json?: boolean },
  surroundings: Surroundings,
): Promise<ExitStatus> {
  return withLearning(flags, surroundings, async (workspace, learning) => {
    const text = await textOf(resolve(surroundings.cwd, name), name)
    if (!text.ok) return text
    const done = await importLessons(workspace, { learning, text: text.value, file: name, dryRun: flags.dryRun })
    if (!done.ok) return done
    if (flags.json) {
      printJson({ dryRun: flags.dryRun ?? false, ...done.value }, surroundings)
      return done
    }
    const { added, changed, unchanged, taken, dropped } = done.value
    const did = flags.dryRun ? 'would be added' : 'added'
    const more = dropped > 0 ? `; ${dropped} dropped, for which there is no room or no trust` : ''
    // Agents will be told of them: whoever tries it out wants to read them first.
    if (flags.dryRun)
      for (const { id, domain, text } of taken)
        surroundings.out.write(`would take  ${id}  ${domain}  ${safeLine(text)}\n`)
    surroundings.out.write(
      `${count(added, 'lesson')} ${did}, ${changed} brought up to date, ${unchanged} as before${more}\n`,
    )
    return done
  })
}

async function textOf(path: string, file: string): Promise<Result<string>> {
  try {
    const { size } = await stat(path)
    if (size > MOST_BYTES) return refuse(problem(`is larger than ${MOST_BYTES >> 20} MB`, { file }))
    return ok(await readFile(path, 'utf8'))
  } catch (error) {
    return refuse(problem(`cannot be read: ${(error as Error).message}`, { file }))
  }
}

const MOST_BYTES = 64 << 20
