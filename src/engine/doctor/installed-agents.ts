// The agents that are installed on this machine, for `espalier init`: those that seem to be logged in come first.
import { KNOWN_AGENTS, type KnownAgent } from '../../agents/list.ts'
import { findLogin } from '../../agents/login.ts'
import type { Settings } from '../../config.ts'
import { findProgram } from '../../process/program.ts'

export type InstalledAgent = { name: KnownAgent; isLoggedIn: boolean }

export function installedAgents(settings: Settings, env: NodeJS.ProcessEnv, home: string): InstalledAgent[] {
  return KNOWN_AGENTS.filter((name) => findProgram(settings.agents[name].program, env) !== null)
    .map((name) => ({ name, isLoggedIn: findLogin(name, env, home) !== null }))
    .sort((a, b) => Number(b.isLoggedIn) - Number(a.isLoggedIn))
}
