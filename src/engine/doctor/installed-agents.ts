// The agents that are installed on this machine, for `espalier init`: those that seem to be logged in come first.
import { KNOWN_AGENTS, type KnownAgent } from '../../agents/known-agents.ts'
import { findLogin } from '../../agents/logins.ts'
import type { Settings } from '../../config.ts'
import { findProgram } from '../../process/program.ts'

export type InstalledAgent = { name: KnownAgent; isLoggedIn: boolean }

export function installedAgents(settings: Settings, env: NodeJS.ProcessEnv, home: string): InstalledAgent[] {
  const names = Object.keys(KNOWN_AGENTS) as KnownAgent[]
  return names
    .filter((name) => findProgram(settings.agents[name].program, env) !== null)
    .map((name) => ({ name, isLoggedIn: findLogin(name, env, home) !== null }))
    .sort((a, b) => Number(b.isLoggedIn) - Number(a.isLoggedIn))
}
