// What the command line needs besides the library. It may change with every version: programs use `espalier` itself.

export { AGENT_NAMES } from './agents/agent-of-task.ts'
export { agentNames } from './agents/known-agents.ts'
export type { Budget, BudgetsView } from './budget.ts'
export type { ClaimCheck, ClaimHolder, ClaimsView, ClaimWait, HeldClaim, Hold } from './claim.ts'
export type { SettingsLayer } from './config.ts'
export type { LandedRun } from './engine/deliver/land-run.ts'
export { readLandedOn, readLandedRuns } from './engine/deliver/landed-on.ts'
export {
  findRemote,
  type OpenedPullRequest,
  openPullRequest,
  type PushedBranch,
  pushBranch,
} from './engine/deliver/push-run.ts'
export type { DiskPart, DoctorCheck } from './engine/doctor/check.ts'
export { diagnose } from './engine/doctor/doctor.ts'
export { addLesson, editLesson, type PrunedLesson, pruneLessons } from './engine/expertise/edit.ts'
export {
  countDamaged,
  type DomainLessons,
  type LessonHistory,
  listLessons,
  readLesson,
} from './engine/expertise/list.ts'
export { type AgentModels, type ModelRecord, type ModelsView, readModels } from './engine/expertise/models.ts'
export { exportLessons, type Imported, importLessons } from './engine/expertise/share.ts'
export { readLearnedClaims } from './engine/expertise/suggested-claims.ts'
export { type DoneAgain, readDoneAgain } from './engine/history/done-again.ts'
export { readDoneSince } from './engine/history/other-runs.ts'
export { readUnlanded, type UnlandedWork, unlandedProblems } from './engine/history/unlanded.ts'
export { readMissingStatus, writeMissingStatus } from './engine/history/write-missing.ts'
export { checkMeans, checkModels, checkPlan } from './engine/open/check.ts'
export { type EstimatedPlan, type EstimateOrigins, estimatedPlan, estimateTasks } from './engine/open/estimates.ts'
export { readDifference, readResumable } from './engine/open/replan.ts'
export { unpriced } from './engine/open/unpriced.ts'
export { readDoneInPlanFile, tasksCalled } from './engine/plan-file/names.ts'
export { type PlanBefore, readPlanBefore, withDoneOpen } from './engine/plan-file/text-before.ts'
export { type PlanTexts, readPlanTexts } from './engine/plan-file/texts.ts'
export { type NewPlan, openPlanning, type Planning } from './engine/planning/new-plan.ts'
export type { LogRequest } from './engine/query/log.ts'
export { previewPrompt, readPrompt, type WhichPrompt } from './engine/query/prompt.ts'
export { readSessionNotes } from './engine/query/sessions.ts'
export type { AttemptTrace, CommitTrace, LandingTrace, TaskTrace, Trace } from './engine/query/trace.ts'
export type { Cancelled } from './engine/requests/cancel.ts'
export { checkPaths, type HeldByPerson, holdClaims, readClaims, releaseClaims } from './engine/requests/claims.ts'
export { type ConflictHome, conflictHome } from './engine/resolve/notes.ts'
export {
  type AnsweredConflict,
  giveUp,
  handBack,
  type OpenedConflict,
  openConflict,
  type WhichConflict,
} from './engine/resolve/resolve.ts'
export type { Batch } from './engine/run/result.ts'
export type { SessionNote, SessionView } from './engine/run/session-note.ts'
export { type EntryHistory, readEntryHistory } from './engine/suite/history.ts'
export { DEFAULT_SUITES, type FoundSuite, findRunnerAt, findSuite } from './engine/suite/load.ts'
export { type OpenSuite, openSuite, prepareSuite } from './engine/suite/open-suite.ts'
export { type OpenedWork, openWork } from './engine/suite/open-work.ts'
export { readSuiteReport } from './engine/suite/read-report.ts'
export { readSuiteStatus, type SuiteStatus, type WorkerView } from './engine/suite/status.ts'
export { type Cleaned, cleanState } from './engine/upkeep/clean.ts'
export type { ChosenModel, Saved } from './facts/model-choices.ts'
export type { NextStep } from './facts/next-steps.ts'
export { spendingOf } from './facts/spending.ts'
export type { FailureReason } from './failure.ts'
export { createSampleRepository, landedLog } from './git/engine/sample-repository.ts'
export { useGitRunner } from './git/run/runner.ts'
export type { Audited, Evidence, Lesson } from './lesson.ts'
export { renderMermaid } from './reports/drawings/mermaid.ts'
export { renderPlanHtml } from './reports/html/plan.ts'
export { renderSimulationHtml } from './reports/html/simulation.ts'
export type { ReportFormat } from './reports/report.ts'
export { renderNote } from './reports/sections/notes.ts'
export { githubAnnotations } from './reports/suite/github.ts'
export { suiteReportText } from './reports/suite/render.ts'
export { summaryLine as suiteSummaryLine } from './reports/suite/words.ts'
export type { PlanDifference } from './scheduler/apply/replan.ts'
export { waitsForHolds } from './scheduler/claims/waits-for-holds.ts'
export { type ServeTaskManager, serveTaskManager } from './server/mcp/serve.ts'
export type { Counts, ListedRun, Outcome, QueueView, RunStatus, RunSummary, TaskStatus } from './status.ts'
export type { Claims, Epic, Work } from './task.ts'
export { formatDuration, parseDuration } from './text/duration.ts'
export type { StatusConflict, UnwrittenFile, UnwrittenStatus } from './unwritten-status.ts'
export type { Spending, Spent, SpentOn, Usage } from './usage.ts'
export { analysePlan, type PlanAnalysis } from './workloads/analysis/analysis.ts'
export { busiestClaimText } from './workloads/analysis/busiest-claim.ts'
export type { PlanOverview } from './workloads/analysis/overview.ts'
export { type SimulatedRow, type Simulation, simulatedSchedule } from './workloads/analysis/simulate.ts'
export type { LearnedClaims } from './workloads/analysis/suggested-claims.ts'
export { type PlanOrigin, planOrigin } from './workloads/formats/status/plan-origin.ts'
export { whyNever } from './workloads/plan/never-runs.ts'
export { readPlanFiles } from './workloads/plan/read.ts'
export { type PlanFile, type PlanSource, plansAmong } from './workloads/plan/source.ts'
export { planText } from './workloads/plan/text.ts'
export { readSettings, settingsFromEnv } from './workloads/settings/read.ts'
export type { ReportedEntry, SuiteReport } from './workloads/suite/report.ts'
export type { Runner } from './workloads/suite/runners.ts'
export { type AttemptIdentity, identityOf } from './workspace/attempt-identity.ts'
export { readPlanOf, readSettingsOf } from './workspace/runs.ts'
export type { OpenWorkspace } from './workspace/workspace.ts'
