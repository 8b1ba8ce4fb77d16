// The library. The command line uses nothing else.

export type { Budget, BudgetsView } from './budget.ts'
export type { ClaimCheck, ClaimHolder, ClaimsView, ClaimWait, HeldClaim, Hold } from './claim.ts'
export { DEFAULT_SETTINGS, type LayerSettings, resolveSettings, type Settings, type SettingsLayer } from './config.ts'
export { AGENT_NAMES } from './engine/agents-of-plan.ts'
export { type AttemptIdentity, identityOf } from './engine/attempt-identity.ts'
export { type Cancelled, requestCancel } from './engine/cancel.ts'
export { addLesson, editLesson, type PrunedLesson, pruneLessons } from './engine/change-expertise.ts'
export type { Check, DiskPart } from './engine/check.ts'
export { checkMeans, checkPlan, checkRun, type OpenRun } from './engine/check-run.ts'
export { checkPaths, type HeldByPerson, holdClaims, readClaims, releaseClaims } from './engine/claims.ts'
export { type Cleaned, cleanState } from './engine/clean.ts'
export { diagnose } from './engine/doctor.ts'
export { type DoneAgain, readDoneAgain } from './engine/done-again.ts'
export { readDoneInPlanFile } from './engine/done-in-plan-file.ts'
export { type EstimatedPlan, type EstimateOrigins, estimatedPlan, estimateTasks } from './engine/estimate-tasks.ts'
export { countDamaged, type DomainLessons, type LessonHistory, listLessons, readLesson } from './engine/expertise.ts'
export { type GivenLimits, limitsGiven } from './engine/given-limits.ts'
export { type LandedRun, landRun } from './engine/land-run.ts'
export { readLandedOn, readLandedRuns } from './engine/landed-on.ts'
export { readLearnedClaims } from './engine/learned.ts'
export { type AgentModels, type ModelRecord, type ModelsView, readModels } from './engine/models.ts'
export { checkModels } from './engine/models-of-plan.ts'
export { type NewPlan, openPlanning, type Planning } from './engine/new-plan.ts'
export { openRun, type ResumeRun, resumeRun } from './engine/open.ts'
export { type PlanBefore, readPlanBefore, withDoneOpen } from './engine/plan-before.ts'
export {
  findRemote,
  type OpenedPullRequest,
  openPullRequest,
  type PushedBranch,
  pushBranch,
} from './engine/push-run.ts'
export { readDoneSince } from './engine/read-done-since.ts'
export { type LogRequest, readLog } from './engine/read-log.ts'
export { previewPrompt, readPrompt, type WhichPrompt } from './engine/read-prompt.ts'
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
export { listRuns, readEvents, readPlanOf, readRun, readSettingsOf } from './engine/runs.ts'
export type { SessionNote } from './engine/session-note.ts'
export type { SessionView } from './engine/session-view.ts'
export { readSessionNotes, readSessions } from './engine/sessions.ts'
export { exportLessons, type Imported, importLessons } from './engine/share-expertise.ts'
export { tasksCalled } from './engine/tasks-called.ts'
export {
  type AttemptTrace,
  type CommitTrace,
  type LandingTrace,
  type TaskTrace,
  type Trace,
  trace,
} from './engine/trace.ts'
export { readUnlanded, type UnlandedWork } from './engine/unlanded.ts'
export { unlandedProblems } from './engine/unlanded-words.ts'
export { unpriced } from './engine/unpriced.ts'
export { hadRuns, reportsFolder, type Where } from './engine/where.ts'
export { readMissingStatus, writeMissingStatus } from './engine/write-missing.ts'
export type { Event } from './event.ts'
export type { ChosenModel, Saved } from './facts/model-choices.ts'
export type { WayOn } from './facts/next-steps.ts'
export { spendingOf } from './facts/spending.ts'
export type { Failure, FailureReason } from './failure.ts'
// For trying things out: what `espalier demo` is made of.
export { createSampleRepository, landedLog } from './git/sample-repository.ts'
export type { Audited, Evidence, Lesson } from './lesson.ts'
export { formatProblem, type Problem, type Result } from './problem.ts'
export { renderMermaid } from './reports/drawings/mermaid.ts'
export { renderPlanHtml } from './reports/html/plan.ts'
export { renderSimulationHtml } from './reports/html/simulation.ts'
export { type ReportFormat, report } from './reports/report.ts'
export { renderNote } from './reports/sections/notes.ts'
export type { PlanDifference } from './scheduler/replan.ts'
export { waitsForHolds } from './scheduler/waits-for-holds.ts'
export { type ServeTaskManager, serveTaskManager } from './server/mcp/serve.ts'
export type {
  Counts,
  ListedRun,
  Outcome,
  QueueView,
  RunStatus,
  RunSummary,
  RunView,
  TaskStatus,
  TaskView,
} from './status.ts'
export type { Claims, Epic, Plan, Task, Work } from './task.ts'
export { formatDuration, parseDuration } from './text/duration.ts'
export type { StatusConflict, UnwrittenFile, UnwrittenStatus } from './unwritten-status.ts'
export type { Spending, Spent, SpentOn, Usage } from './usage.ts'
export { analysePlan, type PlanAnalysis } from './workloads/analysis.ts'
export { busiestClaimText } from './workloads/busiest-claim.ts'
export type { ClaimRow, ClaimsMatrix } from './workloads/claims-matrix.ts'
export { type PlanOrigin, planOrigin } from './workloads/formats/write-back/plan-origin.ts'
export type { LearnedClaims } from './workloads/learned-claims.ts'
export { whyNever } from './workloads/never-runs.ts'
export { type PlanOverview, planOverview } from './workloads/plan-overview.ts'
export { type PlanFile, type PlanSource, plansAmong } from './workloads/plan-source.ts'
export { planText } from './workloads/plan-text.ts'
export { type ReadPlan, readPlan, readPlanFiles } from './workloads/read-plan.ts'
export { readSettings, settingsFromEnv } from './workloads/read-settings.ts'
export { type SimulatedRow, type Simulation, simulatedSchedule, simulatePlan } from './workloads/simulate-plan.ts'
