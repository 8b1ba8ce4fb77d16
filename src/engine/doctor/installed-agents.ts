// The agents that are installed on this machine, and whether they seem to be logged in or to have a key. Only whether something is
// there counts; it is not read.
import { statSync } from 'node:fs'
import type { Environment } from '../../agents/facts.ts'
import { AGENTS, KNOWN_AGENTS, type KnownAgent } from '../../agents/list.ts'
import type { Settings } from '../../config.ts'
import { findProgram } from '../../process/program.ts'

export type InstalledAgent = { name: KnownAgent; isLoggedIn: boolean }

/** Those that seem to be logged in come first. */
export function installedAgents(settings: Settings, env: NodeJS.ProcessEnv, home: string): InstalledAgent[] {
  return KNOWN_AGENTS.filter((name) => findProgram(settings.agents[name].program, env) !== null)
    .map((name) => ({ name, isLoggedIn: findLogin(name, env, home) !== null }))
    .sort((a, b) => Number(b.isLoggedIn) - Number(a.isLoggedIn))
}

/** The variable or file that looks like a login; null: none was found. */
export function findLogin(agent: KnownAgent, env: Environment, home: string): string | null {
  const { variables, files } = AGENTS[agent].login
  return variables.find((name) => env[name]) ?? files(env, home).find(hasContent) ?? null
}

function hasContent(path: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return size > EMPTY_OBJECT_BYTES
}

/** `{}` and a line end: what is left after a logout. */
const EMPTY_OBJECT_BYTES = 3
