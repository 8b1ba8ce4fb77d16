// One variable holds settings of opencode that come on top of all files: what the user says in it already stays in it.
import { type ParseError, parse } from 'jsonc-parser'
import type { Environment } from '../agent.ts'
import { type Json, objectAt } from '../json-line.ts'

/** `add`: what is put in besides what is known there. */
export function opencodeSettings(environment: Environment, add: (known: Json) => Json): Record<string, string> {
  const trouble: ParseError[] = []
  const known = objectAt(parse(environment[VARIABLE] || '{}', trouble, { allowTrailingComma: true }))
  // What the program will not understand either is the user's to put right.
  if (trouble.length > 0 || !known) return {}
  return { [VARIABLE]: JSON.stringify({ ...known, ...add(known) }) }
}

/** It asks its model for a title of each conversation, and tells nobody what that costs. Only `opencode run` can be given one. */
export function withoutTitles(known: Json): Json {
  return { agent: { ...objectAt(known, 'agent'), title: { ...objectAt(known, 'agent', 'title'), disable: true } } }
}

const VARIABLE = 'OPENCODE_CONFIG_CONTENT'
