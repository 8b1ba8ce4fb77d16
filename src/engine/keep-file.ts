// A small file beside a run, replaced as a whole: whoever reads it, or dies while writing it, leaves the old one or the new.
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export async function keepFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(`${file}.tmp`, text, { mode: 0o600 })
  await rename(`${file}.tmp`, file)
}
