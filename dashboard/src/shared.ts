// What the app has in common with the rest of Espalier: types, and pure functions that load nothing else. The one door to
// ../src besides `espalier/client`.

export type { SessionView } from '../../src/engine/query/agent-sessions.ts'
export type { TaskTrace, Trace } from '../../src/engine/query/origin-of-work.ts'
export type { ConflictFile, ConflictSides } from '../../src/engine/query/work-of-task.ts'
export type { Event, Failure, Progress } from '../../src/event.ts'
export { atWorkMs } from '../../src/facts/durations.ts'
export type { ClaimCheck, ClaimsView, HeldClaim } from '../../src/held-claims.ts'
export type { ReportSection } from '../../src/reports/sections/section.ts'
export type { FailedTask, Summary } from '../../src/reports/summary.ts'
export type NextStep = Answer<'runs.next'>['nextSteps'][number]
export { type Edge, edgesOf, type Link, reduceEdges, topological } from '../../src/facts/graph-edges.ts'
export { type RunVerdict, verdictOf } from '../../src/facts/run-in-words.ts'
export { OPEN, waitOf, waitText } from '../../src/facts/waits.ts'
export { messageParts } from '../../src/failure.ts'
export {
  bestUpTo,
  depthText,
  durationText,
  ideaText,
  plain,
  promotionText,
  scoreText,
  wayText,
} from '../../src/reports/search/wording.ts'
export type { BatchFacts, VerificationFacts } from '../../src/reports/sections/landing-queue.ts'
export { passAtText, stabilityText, testsText, variantText } from '../../src/reports/suite/words.ts'
export {
  attemptAgent,
  attemptTone,
  attemptWord,
  STATUS_ORDER,
  STATUS_TONE,
  type Tone,
} from '../../src/text/status-look.ts'

import type { Answer, Given } from '../../src/server/resources/routes.ts'

export type { EntryHistory, SuiteStatus } from '../../src/engine/suite/report-of-suite-run.ts'
export type { PageKind } from '../../src/server/recording/recorded-answers.ts'
export { isBad, type RunStatus, type TaskStatus } from '../../src/status.ts'
export { likelyMs, type Plan, type Task } from '../../src/task.ts'
export { formatDuration } from '../../src/text/duration.ts'
export { tellingLine } from '../../src/text/telling-lines.ts'
export { costText, money, tokensText } from '../../src/text/usage-text.ts'
export { usageOf } from '../../src/usage.ts'
export type { AttemptView, Counts, SpentOn, TaskView } from '../../src/view.ts'
export { taskGraph } from '../../src/workloads/analysis/task-graph.ts'
export { longestPath } from '../../src/workloads/analysis/times.ts'
export type { EvalEntry, Manifest } from '../../src/workloads/search/result-manifest.ts'
export type { ReportedEntry, SuiteReport } from '../../src/workloads/suite/report.ts'
export type { MatrixCell, MatrixTable } from '../../src/workloads/suite/results-by-variant.ts'
export type { Answer, Given }
