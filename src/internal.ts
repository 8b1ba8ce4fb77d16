// What the command line needs besides the library. It may change with every version: programs use `espalier` itself.

export { agentNames } from './agents/known-agents.ts'
export { readLandedOn, readLandedRuns } from './engine/deliver/is-run-in-checkout.ts'
export type { LandedRun } from './engine/deliver/land-run.ts'
export { findRemote, openPullRequest, type PushedBranch, pushBranch } from './engine/deliver/push-or-pull-request.ts'
export { type InstalledAgent, installedAgents } from './engine/doctor/agent-checks.ts'
export { diagnose } from './engine/doctor/doctor.ts'
export type { DoctorCheck } from './engine/doctor/doctor-check.ts'
export { readLearnedClaims } from './engine/expertise/claimed-paths-from-earlier-runs.ts'
export {
  addLesson,
  countDamaged,
  type DomainLessons,
  editLesson,
  exportLessons,
  listLessons,
  readLesson,
} from './engine/expertise/lessons.ts'
export { type AgentModels, type ModelRecord, type ModelsView, readModels } from './engine/expertise/model-records.ts'
export { readDoneSince } from './engine/history/landed-tasks.ts'
export { writeMissingStatus } from './engine/history/write-missing-statuses.ts'
export { unpriced } from './engine/open/budgets-without-prices.ts'
export { checkMeans, checkModels } from './engine/open/check-before-run.ts'
export {
  type EstimatedPlan,
  type EstimateOrigins,
  estimatedPlan,
  estimateTasks,
  type TimeOrigins,
} from './engine/open/estimates.ts'
export { asWarning, unlandedBeforeRun } from './engine/open/inspect-before-run.ts'
export {
  type LimitChange,
  limitChanges,
  type PlanLimits,
  planLimits,
  readPlanLimits,
} from './engine/open/limits-in-plan.ts'
export { checkSearch, openSearch, searchPlan, withEagerness } from './engine/open/open-search.ts'
export { type PlanTexts, readPlanTexts } from './engine/open/plan-texts.ts'
export { readIdeas } from './engine/open/read-idea-files.ts'
export { readDifference, readOnlyAgent, readResumable } from './engine/open/take-over-changed-plan.ts'
export { unprotectedPaths } from './engine/open/unprotected-search-files.ts'
export { readDoneInPlanFile, tasksCalled } from './engine/plan-file/kept-tasks.ts'
export { readPlanBefore } from './engine/plan-file/plan-before-run.ts'
export { type NewPlan, openPlanning } from './engine/planning/new-plan.ts'
export { diffOfSides, type FoundSide, findSide } from './engine/query/compare-nodes.ts'
export { readDiff } from './engine/query/diff.ts'
export { openWork } from './engine/query/open-task-worktree.ts'
export { type ReadSearchRun, readSearchRun } from './engine/query/search-tree.ts'
export { readSessionNotes } from './engine/query/sessions.ts'
export { previewPrompt, readPrompt } from './engine/query/show-prompt.ts'
export type { AttemptTrace, CommitTrace, LandingTrace, TaskTrace, Trace } from './engine/query/trace.ts'
export { checkPaths, holdClaims, readClaims, releaseClaims } from './engine/requests/claims.ts'
export { conflictHome } from './engine/resolve/conflict-worktree-notes.ts'
export {
  type AnsweredConflict,
  giveUp,
  handBack,
  openConflict,
  type WhichConflict,
} from './engine/resolve/resolve-conflict-by-hand.ts'
export type { SessionView } from './engine/run/session-summary.ts'
export { type EntryHistory, readEntryHistory } from './engine/suite/history.ts'
export { findRunnerAt, findSuite } from './engine/suite/load.ts'
export { type OpenSuite, openSuite, prepareSuite } from './engine/suite/open-suite.ts'
export { readSuiteReport } from './engine/suite/report-of-suite-run.ts'
export { readSuiteStatus, type WorkerView } from './engine/suite/status.ts'
export { cleanState } from './engine/upkeep/clean.ts'
export { type FleetWorker, fleetRunnerFor, readWorkers, runWorker } from './fleet/open-fleet.ts'
export { workerChecks } from './fleet/worker-checks.ts'
export { createSampleRepository, landedLog } from './git/engine/sample-repository.ts'
export { isMachineTrouble, machineTroubleText } from './git/run/machine-trouble.ts'
export { useGitRunner } from './git/run/runner.ts'
export { findProgram } from './process/program.ts'
export { builtApp, currentApp } from './reports/app/built-app.ts'
export { renderMermaid } from './reports/drawings/mermaid.ts'
export { type SearchFormat, searchReport } from './reports/search/report.ts'
export {
  depthText as searchDepthText,
  ideaText,
  plain as plainScore,
  scoreText,
  wayText as searchWayText,
} from './reports/search/wording.ts'
export { renderNote } from './reports/sections/notes.ts'
export { renderSimulationHtml } from './reports/simulation.ts'
export { githubAnnotations } from './reports/suite/github.ts'
export { suiteReportText } from './reports/suite/render.ts'
export { summaryLine as suiteSummaryLine } from './reports/suite/words.ts'
export { sendTrace } from './reports/traces/start.ts'
export type { PlanDifference } from './scheduler/apply/replan.ts'
export { waitsForHolds } from './scheduler/claims/holds.ts'
export { serveTaskManager } from './server/mcp/serve.ts'
export { ProjectFile } from './server/projects/project-file.ts'
export { htmlPlan } from './server/recording/html-plan.ts'
export { htmlReport } from './server/recording/html-report.ts'
export type { Serving } from './server/serve.ts'
export { startServer } from './server/start.ts'
export { TokenFile } from './server/tokens/token-file.ts'
export { copyStore } from './store/copy.ts'
export { migrateStore, storeName } from './store/open.ts'
export { analysePlan } from './workloads/analysis/analysis.ts'
export { busiestClaimText } from './workloads/analysis/busiest-claim.ts'
export type { PlanOverview } from './workloads/analysis/overview.ts'
export { type SimulatedRow, type Simulation, simulatedSchedule } from './workloads/analysis/simulate.ts'
export type { LearnedClaims } from './workloads/analysis/suggested-claims.ts'
export { type PlanFileTasks, planFileTasks, withTasksOpen } from './workloads/formats/status/plan-file-tasks.ts'
export { whyNever } from './workloads/plan/never-runs.ts'
export { readPlanFiles } from './workloads/plan/read.ts'
export { type PlanSource, plansAmong } from './workloads/plan/source.ts'
export { planText } from './workloads/plan/text.ts'
export { evalEvents } from './workloads/search/eval-events.ts'
export type { Manifest } from './workloads/search/manifest.ts'
export { type ReadSearch, readSearch } from './workloads/search/read.ts'
export { withChecks } from './workloads/settings/accept-checks.ts'
export { readSettings, settingsFromEnv } from './workloads/settings/read.ts'
export type { ReportedEntry, SuiteReport } from './workloads/suite/report.ts'
export type { Runner } from './workloads/suite/runners.ts'
export { identityOf } from './workspace/attempt-variables.ts'
export { awaitLead, isLed } from './workspace/coordinator-failover.ts'
export { readPlanOf, readSettingsOf } from './workspace/read-runs.ts'
