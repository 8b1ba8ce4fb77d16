// `espalier demo search`: six ideas on a throw-away repository, of which one cheats, one is noise, one ties and one crashes.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSampleRepository, landedLog } from '../../internal.ts'
import type { ExitStatus } from '../exit-status.ts'
import type { Surroundings } from '../surroundings.ts'
import { DEMO_SEARCH_FILES } from './demo-files.ts'
import { run } from './run.ts'
import { show } from './show.ts'

export async function searchDemo(surroundings: Surroundings): Promise<ExitStatus> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-demo-'))
  const repo = join(folder, 'primes')
  await createSampleRepository(repo, DEMO_SEARCH_FILES)
  surroundings.out.write(
    `A small repository: ${repo}\nSix ideas to find primes with fewer divisions, two at a time.\n\n`,
  )
  const status = await run(join(repo, 'search.yaml'), { repo, maxParallelEvals: 2 }, surroundings)
  surroundings.out.write('\n')
  await show(undefined, { repo }, surroundings)
  surroundings.out.write(`\nThe result:\n\n${await landedLog(repo, 'espalier/search-1')}\n`)
  surroundings.out.write(`\nTo clean up: rm -r ${folder}\n`)
  return status
}
