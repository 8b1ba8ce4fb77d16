// The library. The command line uses nothing else.

export { DEFAULT_SETTINGS, type LayerSettings, resolveSettings, type Settings, type SettingsLayer } from './config.ts'
export { formatDuration, parseDuration } from './duration.ts'
export { AGENT_NAMES } from './engine/agents-of-plan.ts'
export { type Cancelled, requestCancel } from './engine/cancel.ts'
export type { Check, DiskPart } from './engine/check.ts'
export { checkPlan, checkRun, type OpenRun } from './engine/check-run.ts'
export { type Cleaned, cleanState } from './engine/clean.ts'
export { diagnose } from './engine/doctor.ts'
export { type LandedRun, landRun } from './engine/land-run.ts'
export { readLearnedClaims } from './engine/learned.ts'
export { openRun, type ResumeRun, resumeRun } from './engine/open.ts'
export { type OpenedPullRequest, openPullRequest, type PushedBranch, pushBranch } from './engine/push-run.ts'
export { hadRuns, listRuns, readEvents, readPlanOf, readRun, readSettingsOf, type Where } from './engine/read.ts'
export { type LogRequest, readLog } from './engine/read-log.ts'
export { readTranscript } from './engine/read-transcript.ts'
export { readDifference, readResumable } from './engine/replan.ts'
export {
  type AnsweredConflict,
  giveUp,
  handBack,
  type OpenedConflict,
  openConflict,
  type WhichConflict,
} from './engine/resolve.ts'
export { type ConflictHome, conflictHome } from './engine/resolving.ts'
export { Run } from './engine/run.ts'
export type { RunEvent } from './engine/run-event.ts'
export type { Batch, RunResult } from './engine/run-result.ts'
export { readSessions, type SessionView } from './engine/sessions.ts'
export {
  type AttemptTrace,
  type CommitTrace,
  type LandingTrace,
  type TaskTrace,
  type Trace,
  trace,
} from './engine/trace.ts'
export type { Event } from './event.ts'
export type { Failure, FailureReason } from './failure.ts'
// For trying things out: what `espalier demo` is made of.
export { createSampleRepository, landedLog } from './git/sample-repository.ts'
export { formatProblem, type Problem, type Result } from './problem.ts'
export { renderMermaid } from './reports/mermaid.ts'
export { type ReportFormat, report } from './reports/report.ts'
export type { PlanDifference } from './scheduler/replan.ts'
export { spendingOf } from './spending.ts'
export type { Counts, Outcome, QueueView, RunStatus, RunSummary, RunView, TaskStatus, TaskView } from './status.ts'
export type { Claims, Epic, Plan, Task, Work } from './task.ts'
export type { Spending, Spent, SpentOn, Usage } from './usage.ts'
export { analysePlan, type PlanAnalysis } from './workloads/analysis.ts'
export type { LearnedClaims } from './workloads/learned-claims.ts'
export { type ReadPlan, readPlan } from './workloads/read-plan.ts'
export { readSettings, settingsFromEnv } from './workloads/read-settings.ts'
