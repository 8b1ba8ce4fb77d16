import { LIMITS } from '../../config.ts'
import { readLearnedClaims } from '../../engine/expertise/claimed-paths-from-earlier-runs.ts'
import { pathsText } from '../../facts/changes.ts'
import { renderMermaid } from '../../reports/mermaid.ts'
import { htmlPlan } from '../../server/recording/html-plan.ts'
import type { Claims, Plan } from '../../task.ts'
import { safeLine } from '../../text/safe.ts'
import { fit } from '../../text/width.ts'
import { type PlanOverview, planOverview } from '../../workloads/analysis/overview.ts'
import type { LearnedClaims } from '../../workloads/analysis/suggested-claims.ts'
import { FORMAT_FLAGS, flag, help, inRepository, pageFlag } from '../command-line/command.ts'
import { wholeNumber } from '../command-line/flag-values.ts'
import { EXIT, type ExitStatus } from '../exit-status.ts'
import { loadTimedPlan } from '../inputs/timed-plan.ts'
import { planShapeLines } from '../plan/show.ts'
import { doneInFile, nothingLeft, sourceLine } from '../plan/source.ts'
import { type Look, lookOf, type Surroundings } from '../surroundings.ts'
import { printLines } from '../terminal/print.ts'
import { pageTemplate, planPage, writePage } from '../terminal/write-page.ts'

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
        const place = () => planPage(workspace, plan.name, 'plan')
        const template = await pageTemplate(here)
        if (!template.ok) return template
        return writePage(htmlPlan(plan, overview, { done, template: template.value }), flags.html, place, here)
      }
      if (flags.mermaid) return drawn(plan, overview, here)
      if (plan.tasks.length === 0 && !flags.json) return printLines(nothingLeft(plan.name, source), here)
      // An offer: a state folder that cannot be read, or a folder outside of git, is no reason not to show the plan.
      const learned = workspace && (await readLearnedClaims(workspace, { plan }))
      const offers = learned?.ok ? learned.value : []
      const look = lookOf(here)
      const understood = sourceLine(source, plan.tasks.length)
      const shape = planShapeLines({ plan, overview, times: time }, look)
      return {
        json: { ...overview, done, estimates: time, learnedClaims: offers },
        lines: [...(understood ? [understood] : []), ...shape, ...learnedLines(offers, look)],
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

const SHOWN = 40

export function learnedLines(learned: LearnedClaims[], { width, palette }: Look): string[] {
  if (learned.length === 0) return []
  const lines = learned.slice(0, SHOWN).flatMap(({ task, run, touched, claims }) => [
    `  ${fit(safeLine(`${task}  in ${run} it changed ${pathsText(touched)}`), width - 2)}`,
    // Not cut: it is there to be copied.
    `    ${safeLine(claimsText(claims))}`,
  ])
  if (learned.length > SHOWN) lines.push(palette.dim(`  … and ${learned.length - SHOWN} more`))
  return ['', palette.strong('Suggested claims, by the last run'), ...lines]
}

function claimsText({ write, read }: Claims): string {
  const written = `[${write.map(inYaml).join(', ')}]`
  return read.length === 0
    ? `claims: ${written}`
    : `claims: {write: ${written}, read: [${read.map(inYaml).join(', ')}]}`
}

/** Quoted where YAML would take it for something else. */
function inYaml(text: string): string {
  return /^[A-Za-z0-9_./][A-Za-z0-9_./*-]*$/.test(text) ? text : JSON.stringify(text)
}
