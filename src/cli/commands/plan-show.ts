import { LIMITS } from '../../config.ts'
import { readLearnedClaims } from '../../engine/expertise/claimed-paths-from-earlier-runs.ts'
import { renderMermaid } from '../../reports/mermaid.ts'
import { planSummary } from '../../reports/plan-summary.ts'
import { htmlPlan } from '../../server/recording/html-plan.ts'
import type { Plan } from '../../task.ts'
import { type PlanOverview, planOverview } from '../../workloads/analysis/overview.ts'
import { FORMAT_FLAGS, flag, help, inRepository, pageFlag } from '../command-line/command.ts'
import { wholeNumber } from '../command-line/flag-values.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { loadTimedPlan } from '../inputs/timed-plan.ts'
import { timeWords } from '../plan/estimate-words.ts'
import { doneInFile, nothingLeft, sourceLine } from '../plan/how-it-was-read.ts'
import { suggestedClaims } from '../plan/suggested-claims.ts'
import { lookOf, type Surroundings } from '../surroundings.ts'
import { printLines } from '../terminal/print.ts'
import { reportLines } from '../terminal/section-lines.ts'
import { writePlanPage } from '../terminal/write-page.ts'

export const commands = {
  show: inRepository(
    {
      ...FORMAT_FLAGS,
      maxConcurrency: flag('-j, --max-concurrency <n>', 'for this many tasks at a time', wholeNumber(1, LIMITS.slots)),
      json: flag('--json', 'print it as JSON'),
      mermaid: flag('--mermaid', 'print the graph as a Mermaid drawing').conflicts('json'),
      html: pageFlag('an HTML page with the graph').conflicts(['json', 'mermaid']),
    },
    help(
      `Shows the plan before it runs: batches (by the longest chain of needs), waves (batches split by claims), epics and tasks,
the critical path, pairs of tasks whose claims overlap, tasks that will never run, and the shortest possible time with N
tasks at a time. Times are those of the plan, else of earlier runs. For tasks that changed more than they claimed in an
earlier run, it suggests claims.

--json has everything; --mermaid prints the graph as a Mermaid drawing; --html writes one page that loads nothing: to FILE,
or to the state folder, and prints its path; in a pipe without FILE the page itself.`,
      '0, or 2 if the plan has problems or the page cannot be written.',
      'espalier plan show plan.yaml -j 8',
      'espalier plan show plan.yaml --html plan.html',
      "espalier plan show plan.yaml --json | jq '.criticalPath.tasks'",
    ),
    async (here, flags, files: readonly string[]) => {
      const loaded = await loadTimedPlan(files, flags, here)
      if (!loaded.ok) return loaded
      const { plan, settings, workspace, time, source } = loaded.value
      const done = doneInFile(source)
      const overview = planOverview(plan, flags.maxConcurrency ?? settings.maxConcurrency, settings.budgetUsd)
      if (flags.html !== undefined) {
        const page = { kind: 'plan', name: plan.name, workspace } as const
        return writePlanPage(page, flags.html, (template) => htmlPlan(plan, overview, { done, template }), here)
      }
      if (flags.mermaid) return drawn(plan, overview, here)
      if (plan.tasks.length === 0 && !flags.json) return printLines(nothingLeft(plan.name, source), here)
      // Optional: an unreadable state folder, or a folder outside of git, must not prevent showing the plan.
      const learned = workspace && (await readLearnedClaims(workspace, { plan }))
      const offers = learned?.ok ? learned.value : []
      const summary = planSummary(plan, overview, done, Date.now())
      const estimates = { title: 'Where the times come from', words: [timeWords(time)] }
      const sections = [...summary.sections, estimates, suggestedClaims(offers)]
      return {
        json: { ...overview, done, estimates: time, learnedClaims: offers },
        lines: reportLines(plan.name, { ...summary, sections }, lookOf(here), sourceLine(source, plan.tasks.length)),
      }
    },
  ),
}

function drawn(plan: Plan, { criticalPath, edges }: PlanOverview, here: Surroundings): ExitStatus {
  here.out.write(renderMermaid(plan, undefined, criticalPath.tasks))
  if (edges > MERMAID_EDGES)
    here.err.write(
      `note: most programs draw at most ${MERMAID_EDGES} arrows, and this has ${edges}; --html has no such limit\n`,
    )
  return EXIT.done
}

/** `maxEdges` of Mermaid, unless a site allows more. */
const MERMAID_EDGES = 500
