// Shared by all routes of one server.
import type { Result } from '../problem.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { Commands } from './engines/espalier-process.ts'
import type { Places } from './guard/allowed-hosts.ts'
import type { RunHistories } from './history/followed-run.ts'
import type { ServerLimits } from './limits.ts'
import type { Projects } from './projects/projects.ts'
import type { LoginCodes, TokenFile } from './tokens/token-store.ts'
import type { Fleets } from './workers/project-fleets.ts'

export type ServerContext = {
  version: string
  startedAt: number
  /** The URL without a slash at its end. */
  url: string
  places: Places
  cookie: { name: string; attributes: string }
  tokens: TokenFile
  codes: LoginCodes
  projects: Projects
  commands: Commands
  histories: RunHistories
  fleets: Fleets
  /** Folder for plans that requests bring as text. */
  plansFolder: string
  /** Environment of engines and commands. */
  environment: NodeJS.ProcessEnv
  plansIn(repo: string): Promise<{ file: string; title: string }[]>
  /** The dashboard with one run, as a file. `template`: `report.html` of the web app. */
  htmlReport(workspace: Workspace, what: { run: string; template: string }): Promise<Result<{ text: string }>>
  /** The folder of the web app; null: not built. */
  app(): string | null
  limits: ServerLimits
  log: Log
}

/** The part of pino that is used. */
export type Log = Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>
