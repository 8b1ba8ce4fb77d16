// Whether an agent's program seems to be logged in or to have a key. Only whether something is there counts; it is not read.
import { statSync } from 'node:fs'
import type { Environment } from './facts.ts'
import { AGENTS, type KnownAgent } from './list.ts'

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
