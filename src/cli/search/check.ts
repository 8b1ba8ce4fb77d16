import { asWarning, checkSearch, unprotectedPaths } from '../../internal.ts'
import { jsonOutput } from '../../text/json.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { findRepository, type RepositoryFlags } from '../inputs/repository.ts'
import { loadSearch } from '../inputs/search-file.ts'
import { count } from '../live/event-line.ts'
import { problemLines, refuseWith } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'

type Flags = RepositoryFlags & { json?: boolean }

export async function check(named: string, flags: Flags, surroundings: Surroundings): Promise<ExitStatus> {
  const found = await findRepository(surroundings, flags)
  if (!found.ok) return refuseWith(found.problems, surroundings)
  const loaded = await loadSearch(named, found.value.layers, surroundings)
  if (!loaded.ok) {
    if (flags.json) surroundings.out.write(`${jsonOutput({ ok: false, problems: loaded.problems })}\n`)
    return flags.json ? EXIT.badInput : refuseWith(loaded.problems, surroundings)
  }
  const { read, ideas, settings } = loaded.value
  const lacking = checkSearch({ read, ideas, settings, environment: surroundings.env })
  const problems = [...loaded.value.warnings, ...lacking.map(asWarning)]
  const workspace = await openWorkspace(found.value)
  if (workspace.ok) {
    surroundings.resources.use(workspace.value)
    problems.push(...(await unprotectedPaths(workspace.value, read)))
  }
  const { search } = read
  if (flags.json) {
    const said = { ideas: ideas.map(({ path }) => path), beam_width: search.beam, max_depth: search.depth }
    surroundings.out.write(`${jsonOutput({ ok: true, problems, ...said })}\n`)
    return EXIT.done
  }
  const proposed = search.propose ? ` and up to ${search.propose.count} proposed ones` : ''
  surroundings.out.write(
    `Search OK: ${count(ideas.length, 'idea')}${proposed}, beam ${search.beam}, depth ${search.depth}\n`,
  )
  surroundings.err.write(problemLines(problems, surroundings.err))
  return EXIT.done
}
