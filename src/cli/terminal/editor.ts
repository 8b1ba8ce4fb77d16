// Lets a person change a text in the editor of their choice, as git does for a commit message.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ok, type Result, refuse } from '../../problem.ts'
import type { Surroundings } from '../surroundings.ts'

/** The text as it is when the editor has ended. */
export async function edited(text: string, { env }: Surroundings): Promise<Result<string>> {
  const editor = env.VISUAL || env.EDITOR
  if (!editor) return refuse('no editor is known: set $VISUAL or $EDITOR, or say the new words with --text')
  const folder = await mkdtemp(join(tmpdir(), 'espalier-edit-'))
  try {
    const file = join(folder, 'lesson.txt')
    await writeFile(file, `${text}\n`)
    // By a shell, because people have arguments in these variables.
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { env, stdio: 'inherit' })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) return refuse(`the editor (${editor}) ended with status ${code}: nothing was changed`)
    return ok(await readFile(file, 'utf8'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
