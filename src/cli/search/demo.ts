// `espalier demo search`: examples/search on a throw-away repository. Of its six ideas one cheats, one is noise, one ties and one crashes.

import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { packageFile } from '../../files/package-file.ts'
import { createSampleRepository, landedLog } from '../../git/engine/sample-repository.ts'
import { findWorkspace } from '../inputs/repository.ts'
import type { Done } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { runSearch } from './run.ts'
import { show } from './show.ts'

export async function searchDemo(surroundings: Surroundings): Promise<Done> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-demo-'))
  const repo = join(folder, 'primes')
  await createSampleRepository(repo, await exampleFiles())
  surroundings.out.write(
    `A small repository: ${repo}\nSix ideas to find primes with fewer divisions, two at a time.\n\n`,
  )
  const found = await findWorkspace(surroundings, { repo }, { maxConcurrency: 2 })
  if (!found.ok) return found
  const status = await runSearch(found.value, {}, join(repo, 'search.yaml'))
  surroundings.out.write('\n')
  await show(found.value, {}, undefined)
  surroundings.out.write(`\nThe result:\n\n${await landedLog(repo, 'espalier/search-1')}\n`)
  surroundings.out.write(`\nTo clean up: rm -r ${folder}\n`)
  return status
}

async function exampleFiles(): Promise<Record<string, string>> {
  const folder = packageFile('examples/search')
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files = paths.map(async (path) => [relative(folder, path), await readFile(path, 'utf8')])
  return Object.fromEntries(await Promise.all(files))
}
