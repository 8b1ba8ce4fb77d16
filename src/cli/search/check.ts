import { asWarning } from '../../engine/open/inspect-before-run.ts'
import { checkSearch, unprotectedPaths } from '../../engine/open/open-search.ts'
import { count } from '../../text/figures.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import type { Commands } from '../command-line/calls.ts'
import { withRepository } from '../command-line/flags.ts'
import { EXIT } from '../exit-status.ts'
import type { InRepository } from '../inputs/repository.ts'
import { loadSearch } from '../inputs/search-file.ts'
import { type Done, problemLines } from '../refusal.ts'
import { printJson } from '../terminal/print.ts'

export const commands: Commands = {
  check: (command, { inRepository }) =>
    withRepository(command)
      .option('--json', 'print {ok, problems, …} as JSON')
      .addHelpText('after', HELP)
      .action(inRepository(check)),
}

type Flags = { json?: boolean }

async function check(named: string, flags: Flags, here: InRepository): Promise<Done> {
  const loaded = await loadSearch(named, {}, here)
  if (!loaded.ok) {
    if (!flags.json) return loaded
    printJson({ ok: false, problems: loaded.problems }, here)
    return EXIT.badInput
  }
  const { read, ideas, settings } = loaded.value
  const lacking = checkSearch({ read, ideas, settings, environment: here.env })
  const problems = [...loaded.value.warnings, ...lacking.map(asWarning)]
  const workspace = await openWorkspace(here)
  if (workspace.ok) {
    here.resources.use(workspace.value)
    problems.push(...(await unprotectedPaths(workspace.value, read)))
  }
  const { search } = read
  if (flags.json) {
    const said = { ideas: ideas.map(({ path }) => path), beam_width: search.beam, max_depth: search.depth }
    return printJson({ ok: true, problems, ...said }, here)
  }
  const proposed = search.propose ? ` and up to ${search.propose.count} proposed ones` : ''
  here.out.write(`Search OK: ${count(ideas.length, 'idea')}${proposed}, beam ${search.beam}, depth ${search.depth}\n`)
  here.err.write(problemLines(problems, here.err))
  return EXIT.done
}

const HELP = `
Exit status: 0 it can be run, 2 it cannot.`
