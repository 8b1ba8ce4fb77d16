// A search: from the text of its file to what it says with every default filled in, or to all that is wrong with it. Pure: the
// files of ideas are read where it is opened (engine/open/open-search.ts).
import { basename, extname } from 'node:path'
import type * as z from 'zod'
import type { LayerSettings, Settings } from '../../config.ts'
import { ok, type Problem, type Result, refuse } from '../../problem.ts'
import { SCORE, type Score, type Search, type StepWork } from '../../search-definition.ts'
import { slug } from '../../text/slug.ts'
import { kindOf, listOf, shown, toEnv } from '../document/field.ts'
import { addError, addWarning, errorsOf, type Findings, newFindings, warningsOf } from '../document/findings.ts'
import { checked, isMapping } from '../document/schema-check.ts'
import { type Kind, readDocument } from '../document/yaml-or-json.ts'
import { toLayer } from '../settings/settings-file-schema.ts'
import { searchSchema } from './schema.ts'

type SearchInput = z.infer<typeof searchSchema>

export type ReadSearch = {
  name: string
  /** The commit-ish it starts from; null: HEAD. */
  root: string | null
  /** Search without its ideas. */
  search: Search
  /** Globs of the files of its ideas, from the folder of its own file. */
  ideas: string[]
  env: Record<string, string>
  /** Null: not set. */
  eager: boolean | null
  settings: LayerSettings
  warnings: Problem[]
}

const KIND: Kind = {
  called: 'a search',
  hint: '`espalier init --search` writes one to start from',
  mustHave: 'evaluate',
  maxBytes: 4 << 20,
}

const NOT_PROTECTED = 'nothing is `protected`: a candidate could edit the files that measure it; name them there'

/** `defaults`: the settings below the file; `agent`: the agent of every prompt, whatever the file says. */
export function readSearch(
  text: string,
  file: string,
  defaults: Settings,
  { agent, agents }: { agent?: string | null | undefined; agents?: readonly string[] } = {},
): Result<ReadSearch> {
  const read = readDocument(text, file, KIND)
  if (!read.ok) return read
  const { value } = read.value
  const findings = newFindings(value)
  if (!isMapping(value)) addError(findings, [], `a search is a mapping, not ${kindOf(value)}`)
  else lookFor(value, findings)
  const input = checked(searchSchema, value, () => [], findings)
  if (input) checkWork(input, findings, agent === undefined ? agents : undefined)
  if (input?.score) checkScore(input.score, findings)
  if (findings.errors.length > 0 || !input) return refuse(...errorsOf(findings, read.value, file))
  const whole = input as SearchInput
  const toWork = workOf(agent ?? null, whole.agent ?? defaults.agent)
  if (whole.protected === undefined) addWarning(findings, ['score'], NOT_PROTECTED)
  const steps = whole.evaluate.map((step, index) => ({ name: step.name ?? `step${index + 1}`, work: toWork(step) }))
  const search: Search = {
    objective: whole.objective.trim(),
    ideas: [],
    propose: whole.propose ? { count: whole.propose.count, work: toWork(whole.propose) } : null,
    steps,
    gates: listOf(whole.gates) ?? [],
    score: toScore(whole.score),
    repeats: whole.repeats ?? 1,
    beam: whole.beam ?? 3,
    depth: whole.depth ?? 2,
    minImprovement: toMinImprovement(whole.minImprovement),
    protected: listOf(whole.protected) ?? [],
    onProtected: whole.onProtected ?? 'flag',
    eager: whole.eager ?? true,
  }
  return ok({
    name: whole.name ?? (slug(basename(file, extname(file))) || 'search'),
    root: whole.root ?? null,
    search,
    ideas: listOf(whole.ideas) ?? [],
    env: toEnv(whole.env),
    eager: whole.eager ?? null,
    // One eval at a time by default, whatever plans use.
    settings: toLayer({ ...whole, maxConcurrency: whole.maxParallel ?? 1, maxPerEpic: whole.maxPerNode ?? null }),
    warnings: warningsOf(findings, read.value, file),
  })
}

/** Said before the schema does, in words that help. */
function lookFor(value: Record<string, unknown>, findings: Findings): void {
  if (value.ideas === undefined && value.propose === undefined)
    addError(
      findings,
      [],
      'there is nothing to try: name the files of ideas (`ideas: ideas/*.md`), or who `propose`s them',
    )
  if (value.tasks !== undefined) addError(findings, ['tasks'], 'this is a plan, not a search: `espalier run` runs it')
}

function checkWork(input: Partial<SearchInput>, findings: Findings, agents: readonly string[] | undefined): void {
  const { evaluate = [], propose } = input
  const works = evaluate.map((work, index) => ({ work, path: ['evaluate', index] as (string | number)[] }))
  const names = new Set<string>()
  if (propose) works.push({ work: propose, path: ['propose'] })
  for (const { work, path } of works) {
    const both = work.run !== undefined && work.prompt !== undefined
    if (both) addError(findings, path, 'it has both `run` and `prompt`: a step is one of them')
    if (work.run === undefined && work.prompt === undefined)
      addError(findings, path, 'it has neither `run` nor `prompt`')
    if (work.agent !== undefined && agents && !agents.includes(work.agent))
      addError(findings, [...path, 'agent'], `there is no agent ${shown(work.agent)}: ${agents.join(', ')}`)
  }
  evaluate.forEach(({ name }, index) => {
    if (name === undefined) return
    if (names.has(name) || name === 'judge' || name === 'propose')
      addError(findings, ['evaluate', index, 'name'], `${shown(name)} is taken: give the step another name`)
    names.add(name)
  })
}

function checkScore(score: SearchInput['score'], findings: Findings): void {
  const { key, keys, pattern, scoreKey } = score
  const ways = Object.entries({ key, keys, pattern }).filter(([, value]) => value !== undefined)
  if (ways.length > 1)
    addError(
      findings,
      ['score'],
      `\`${ways.map(([name]) => name).join('` and `')}\` are different ways to find the number: name one`,
    )
  if (pattern !== undefined && patternGroups(pattern) === null)
    addError(findings, ['score', 'pattern'], `${shown(pattern)} is not a regular expression`)
  const known = keys ?? (pattern === undefined ? [] : (patternGroups(pattern) ?? []))
  if (scoreKey !== undefined && !known.includes(scoreKey))
    addError(
      findings,
      ['score', 'scoreKey'],
      `${shown(scoreKey)} is none of the numbers: ${known.join(', ') || 'there is only one'}`,
    )
}

/** The names of its groups; null: it is no regular expression. */
function patternGroups(pattern: string): string[] | null {
  try {
    new RegExp(pattern, 'gm')
    return [...pattern.matchAll(/\(\?<([A-Za-z_]\w*)>/g)].map(([, name]) => name as string)
  } catch {
    return null
  }
}

function workOf(overrule: string | null, agent: string) {
  return (input: Partial<Pick<SearchInput['evaluate'][number], 'run' | 'prompt' | 'agent' | 'model'>>): StepWork => {
    if (input.run !== undefined) return { kind: 'command', command: input.run }
    const chosen = overrule ?? input.agent ?? agent
    // A model is meant for the agent it was written with.
    const model = chosen === (input.agent ?? agent) ? (input.model ?? null) : null
    return { kind: 'prompt', prompt: input.prompt ?? '', agent: chosen, model }
  }
}

function toScore({ run, goal, file, key, keys, pattern, scoreKey }: SearchInput['score']): Score {
  const named = pattern === undefined ? [] : (patternGroups(pattern) ?? [])
  const all = keys ?? (key === undefined ? [] : [key])
  const rankedBy = scoreKey ?? all[0] ?? named[0] ?? SCORE
  return { run, goal, file: file ?? null, pattern: pattern ?? null, keys: all, rankedBy }
}

function toMinImprovement(input: SearchInput['minImprovement']): Search['minImprovement'] {
  if (typeof input === 'string') return { amount: Number.parseFloat(input), unit: 'percent' }
  return { amount: input ?? 0, unit: 'absolute' }
}
