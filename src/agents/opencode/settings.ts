// Settings of opencode in one variable, on top of all files. Those of the user stay.
import type { Environment } from '../agent.ts'
import { type Json, objectAt } from '../json-line.ts'
import { settingsIn } from '../mcp-server.ts'

/** `add`: settings to add to the known ones. */
export function opencodeSettings(environment: Environment, add: (known: Json) => Json): Record<string, string> {
  const known = settingsIn(environment[VARIABLE] || '{}')
  return known ? { [VARIABLE]: JSON.stringify({ ...known, ...add(known) }) } : {}
}

/**
 * Turns off titles: it asks its model for one of each conversation, and reports no cost. Only `opencode run` can be
 * given one.
 */
export function withoutTitles(known: Json): Json {
  return { agent: { ...objectAt(known, 'agent'), title: { ...objectAt(known, 'agent', 'title'), disable: true } } }
}

const VARIABLE = 'OPENCODE_CONFIG_CONTENT'
