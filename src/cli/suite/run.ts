import { LIMITS } from '../../config.ts'
import { findSuite, type OpenSuite, openSuite, prepareSuite } from '../../engine/suite/open-suite.ts'
import { fleetRunnerFor } from '../../fleet/load-fleet.ts'
import { ok, type Result } from '../../problem.ts'
import { flag, type Given, inWorkspace, ONE_OBJECT, RUN_FLAGS } from '../command-line/command.ts'
import { endingIn, filled, orAuto, wholeNumber } from '../command-line/flag-values.ts'
import { EXIT } from '../exit-status.ts'
import type { InWorkspace } from '../inputs/repository.ts'
import { runToRest } from '../live/follow-run.ts'
import { type Done, problemLines } from '../refusal.ts'
import { printJson, printLines } from '../terminal/print.ts'
import { runPage, writeText } from '../terminal/write-page.ts'

const WHAT = 'a suite file, or plan files and patterns of them; default: suite.yaml'

const FLAGS = {
  entry: flag('--entry <id...>', 'only these entries'),
  base: flag('--base <rev>', 'test this commit instead of HEAD'),
  dirty: flag('--dirty', 'test your checkout as it is, uncommitted changes and new files included'),
  compare: flag('--compare <rev>', 'test this commit too, and show what differs'),
  shards: flag('--shards <n>', 'into how many parts test files are split: a number, or auto', orAuto(LIMITS.shards)),
  repeat: flag(
    '--repeat <n>',
    'run every entry N times, without retries, to find flaky ones',
    wholeNumber(1, LIMITS.suiteRepeats),
  ),
  untilFail: flag('--until-fail', 'repeat every entry until one fails'),
  model: flag('--model <name>', 'the model that agent is to use', filled('--model')),
  workersOnly: RUN_FLAGS.workersOnly,
  retries: RUN_FLAGS.retries,
  timeout: RUN_FLAGS.timeout,
  agent: RUN_FLAGS.agent,
  command: RUN_FLAGS.command,
}

export const commands = {
  run: inWorkspace(
    {
      ...FLAGS,
      maxConcurrency: RUN_FLAGS.maxConcurrency,
      quiet: RUN_FLAGS.quiet,
      json: flag('--json', 'print the report as one JSON object at the end'),
      junit: flag('--junit <file>', 'write the report as JUnit XML; - is stdout', endingIn('--junit', '.xml')),
      markdown: flag('--markdown <file>', 'write the report as Markdown', endingIn('--markdown', '.md')),
      html: flag('--html <file>', 'write the report as a page', endingIn('--html', '.html', '.htm')),
    },
    `
Every entry runs in a worktree of its own; nothing lands, and your checkout stays as it is. A failed entry is tried
again in a fresh worktree: passed then, it is flaky. Ctrl-C interrupts; \`espalier resume\` continues, and what has
finished is not run again.

Exit status: 0 passed, 1 failed, 2 wrong usage, 130 interrupted.

Examples:
  espalier suite run                                 the suite in suite.yaml
  espalier suite run 'docs/plans/*.md' -j 3          plans as entries, three at a time
  espalier suite run --dirty --junit report.xml      your uncommitted changes
  espalier suite run --compare main                  what this branch breaks, fixes and slows down
  espalier suite run --repeat 20 --entry e2e         how flaky it is`,
    async (here, flags, names: readonly string[]) => {
      const since = Date.now()
      const { workspace, err } = here
      const options = await suiteOptions(names, flags, here)
      if (!options.ok) return options
      const runner = await fleetRunnerFor(workspace.folder.database)
      const opened = await openSuite(workspace, { ...options.value, runner })
      if (!opened.ok) return opened
      const { run: started, warnings } = opened.value
      const { id } = started
      const { json, junit, markdown, html, quiet } = flags
      const execute = async () => {
        await using run = started
        err.write(problemLines(warnings, err))
        return await runToRest(run, { quiet, since, suite: { json, junit, markdown } }, here)
      }
      const status = await execute()
      if (html === undefined) return status
      // Written after the run was released, so that the page shows it without an engine.
      const page = await runPage(workspace, id, here)
      // The printed path must not mix with the output of --json.
      const quietly = { ...here, out: html === '-' ? here.out : err }
      const written = page.ok ? await writeText(page.value.text, html, quietly) : page
      return written === EXIT.done ? status : written
    },
    { args: [WHAT] },
  ),
  check: inWorkspace({ ...FLAGS, json: ONE_OBJECT }, '', suiteCheck, { args: [WHAT] }),
}

type SuiteFlags = Given<typeof FLAGS> & { json?: boolean }

async function suiteCheck(here: InWorkspace, flags: SuiteFlags, names: readonly string[]): Promise<Done> {
  const options = await suiteOptions(names, flags, here)
  const prepared = options.ok ? await prepareSuite(here.workspace, options.value) : options
  if (!prepared.ok) {
    if (!flags.json) return prepared
    printJson({ ok: false, problems: prepared.problems }, here)
    return EXIT.badInput
  }
  const { plan, warnings } = prepared.value
  const { entries } = plan.suite
  if (flags.json) return printJson({ ok: true, problems: warnings, name: plan.name, entries }, here)
  const written = new Set(entries.map(({ entry }) => entry)).size
  const times = entries.length === written ? '' : `, ${entries.length} with all variants`
  printLines([`Suite OK: ${written === 1 ? '1 entry' : `${written} entries`}${times}`], here)
  here.err.write(problemLines(warnings, here.err))
  return EXIT.done
}

async function suiteOptions(
  names: readonly string[],
  flags: SuiteFlags,
  { cwd, repo, env: environment, layers }: InWorkspace,
): Promise<Result<OpenSuite>> {
  const found = await findSuite(names, cwd, repo)
  if (!found.ok) return found
  const { base, dirty, compare, untilFail, shards, retries, timeout: timeoutMs, agent, model, entry: only } = flags
  const repeat = flags.repeat ?? (untilFail ? UNTIL_FAIL : undefined)
  const ofSuite = { repeat, shards, retries, timeoutMs, agent, model, only }
  const { belowPlan: below, abovePlan: above } = layers
  return ok({ found: found.value, below, above, base, dirty, compare, untilFail, flags: ofSuite, environment })
}

/** Default limit on repetitions of an entry. */
const UNTIL_FAIL = 100
