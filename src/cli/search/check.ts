import { asWarning } from '../../engine/open/inspect-before-run.ts'
import { checkSearch, unprotectedPaths } from '../../engine/open/open-search.ts'
import { count } from '../../text/figures.ts'
import { openWorkspace } from '../../workspace/workspace.ts'
import { flag, inRepository } from '../command-line/command.ts'
import { EXIT } from '../exit-status.ts'
import { loadSearch } from '../inputs/search-file.ts'
import { problemLines } from '../refusal.ts'
import { printJson } from '../terminal/print.ts'

export const commands = {
  check: inRepository(
    { json: flag('--json', 'print {ok, problems, …} as JSON') },
    `
Exit status: 0 it can be run, 2 it cannot.`,
    async (here, flags, named: string) => {
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
      const said = { ideas: ideas.map(({ path }) => path), beam_width: search.beam, max_depth: search.depth }
      const proposed = search.propose ? ` and up to ${search.propose.count} proposed ones` : ''
      if (!flags.json) here.err.write(problemLines(problems, here.err))
      return {
        json: { ok: true, problems, ...said },
        lines: [`Search OK: ${count(ideas.length, 'idea')}${proposed}, beam ${search.beam}, depth ${search.depth}`],
      }
    },
  ),
}
