// Reads the file of a search with its ideas, and places its settings between the layers below and above it.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { agentNames } from '../../agents/list.ts'
import { resolveSettings } from '../../config.ts'
import { readIdeas, withEagerness } from '../../engine/open/open-search.ts'
import { ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import type { Idea } from '../../search-definition.ts'
import { type ReadSearch, readSearch } from '../../workloads/search/read.ts'
import { overruleOf } from './plan-file.ts'
import type { InRepository } from './repository.ts'

export type SearchFlags = { beamWidth?: number; maxDepth?: number; eagerDepth?: boolean; root?: string }

export type LoadedSearch = ReturnType<typeof resolveSettings> & {
  read: ReadSearch
  ideas: Idea[]
  file: string
  warnings: Problem[]
}

export async function loadSearch(
  named: string,
  flags: SearchFlags,
  { cwd, layers }: InRepository,
): Promise<Result<LoadedSearch>> {
  const file = resolve(cwd, named)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such file: `espalier init --search` writes one to start from' : message
    return refuse(problem(why, { file: named }))
  }
  const { belowPlan, abovePlan } = layers
  const { settings: below } = resolveSettings(belowPlan)
  const { agent } = overruleOf(layers)
  const said = readSearch(text, named, below, { agent, agents: agentNames(below) })
  if (!said.ok) return said
  const ideas = await readIdeas(file, said.value.ideas)
  if (!ideas.ok) return ideas
  const resolved = resolveSettings([...belowPlan, { from: named, settings: said.value.settings }, ...abovePlan])
  const read = withEagerness(overruled(said.value, flags), resolved.settings)
  return ok({ ...resolved, read, ideas: ideas.value, file, warnings: said.value.warnings })
}

function overruled(read: ReadSearch, { beamWidth, maxDepth, eagerDepth, root }: SearchFlags): ReadSearch {
  const { search } = read
  return {
    ...read,
    root: root ?? read.root,
    eager: eagerDepth ?? read.eager,
    search: { ...search, beam: beamWidth ?? search.beam, depth: maxDepth ?? search.depth },
  }
}
