// One variable holds settings of opencode that come on top of all files: what the user says in it already stays in it.
import type { Environment } from '../agent.ts'
import { type Json, objectAt } from '../json-line.ts'
import { settingsIn } from '../mcp-server.ts'

/** `add`: what is put in besides what is known there. */
export function opencodeSettings(environment: Environment, add: (known: Json) => Json): Record<string, string> {
  const known = settingsIn(environment[VARIABLE] || '{}')
  return known ? { [VARIABLE]: JSON.stringify({ ...known, ...add(known) }) } : {}
}

/** It asks its model for a title of each conversation, and tells nobody what that costs. Only `opencode run` can be given one. */
export function withoutTitles(known: Json): Json {
  return { agent: { ...objectAt(known, 'agent'), title: { ...objectAt(known, 'agent', 'title'), disable: true } } }
}

const VARIABLE = 'OPENCODE_CONFIG_CONTENT'
