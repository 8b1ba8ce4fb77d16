// The file of a suite: checked field by field, or all that is wrong with it. What its entries become is in build.ts.
import { basename, extname } from 'node:path'
import type * as z from 'zod'
import { LIMITS } from '../../config.ts'
import { ok, type Problem, type Result, refuse } from '../../problem.ts'
import { suggestion } from '../../text/nearest.ts'
import { slug } from '../../text/slug.ts'
import { kindOf, listOf, shown } from '../document/field.ts'
import { addError, addWarning, errorsOf, type Findings, isFull, newFindings, warningsOf } from '../document/findings.ts'
import { checkUses, toResources } from '../document/resource-fields.ts'
import { checked, isMapping } from '../document/schema-check.ts'
import { type Kind, readDocument } from '../document/yaml-or-json.ts'
import { checkCycles, checkReferences } from '../plan/needs.ts'
import { addTask, type Waiting } from '../plan/tasks-before-needs.ts'
import { type EntryInput, entrySchema, suiteHeadSchema } from './schema.ts'

type SuiteHead = Partial<z.infer<typeof suiteHeadSchema>>

export type ReadSuite = { name: string; head: SuiteHead; entries: EntryInput[]; warnings: Problem[] }

const SMALLEST = 'a suite has at least a list of `entries`, each with an `id` and a `run` or `plan`'
const KIND: Kind = { called: 'a suite', hint: SMALLEST, mustHave: 'entries', maxBytes: LIMITS.yamlBytes }

export function readSuite(text: string, file: string): Result<ReadSuite> {
  const read = readDocument(text, file, KIND)
  if (!read.ok) return read
  const { value } = read.value
  const findings = newFindings(value)
  const head = checked(suiteHeadSchema, value, () => [], findings)
  const list = isMapping(value) ? value.entries : undefined
  if (list === undefined) addError(findings, [], `there are no \`entries\`: ${SMALLEST}`)
  else if (!Array.isArray(list)) addError(findings, ['entries'], `\`entries\` must be a list, not ${kindOf(list)}`)
  else if (list.length === 0) addError(findings, ['entries'], `\`entries\` is an empty list: ${SMALLEST}`)
  const entries = (Array.isArray(list) ? list : []).map((item, i) => readEntry(item, i, findings))
  checkEntries(head ?? {}, entries, findings)
  if (findings.errors.length > 0) return refuse(...errorsOf(findings, read.value, file))
  return ok({
    name: head?.name ?? slug(basename(file, extname(file))),
    head: head ?? {},
    entries: entries.filter((entry) => entry !== null),
    warnings: warningsOf(findings, read.value, file),
  })
}

/** True if the text looks like a suite, without reading all of it. */
export function looksLikeSuite(text: string, file: string): boolean {
  return /\.(ya?ml|jsonc?)$/i.test(file) && /(^|[{,])\s*["']?entries["']?\s*:/m.test(text)
}

function readEntry(item: unknown, index: number, findings: Findings): EntryInput | null {
  if (isFull(findings)) {
    findings.cutShort = true
    return null
  }
  const entry = checked(entrySchema, item, () => ['entries', index], findings)
  if (entry?.id === undefined || !isMapping(item)) return null
  const pathTo = (name: string) => ['entries', index, name]
  const who = `entry ${shown(entry.id)}`
  if (('run' in item || 'files' in item) && 'plan' in item)
    addError(findings, pathTo('plan'), `${who} has both \`run\` and \`plan\`: it is one of the two`, { at: 'name' })
  else if (!('run' in item) && !('plan' in item) && !('files' in item))
    addError(
      findings,
      ['entries', index],
      `${who} has nothing to do: give it \`run\` (a command), \`plan\` or \`files\``,
    )
  const isTemplate = /\{(files|dirs)\}/.test(entry.run ?? '')
  if (isTemplate && entry.files === undefined)
    addError(findings, pathTo('run'), `${who} has \`{files}\` in its command, and no \`files\``)
  if (entry.files !== undefined && entry.run !== undefined && !isTemplate)
    addError(findings, pathTo('run'), `${who} has \`files\`, and its command no \`{files}\` to put them`)
  if (entry.shards !== undefined && entry.files === undefined)
    addError(findings, pathTo('shards'), `${who} has \`shards\`, and no \`files\` to split`, { at: 'name' })
  if (entry.batch_range !== undefined && entry.plan === undefined)
    addError(findings, pathTo('batch_range'), `${who} has \`batch_range\`, and no \`plan\``, { at: 'name' })
  return { ...entry, id: entry.id }
}

const WORDING: Waiting['wording'] = { task: 'entry', epic: 'epic', taskName: (id) => id, epicName: (id) => id }

function checkEntries(head: SuiteHead, entries: (EntryInput | null)[], findings: Findings): void {
  const declared = toResources(head.resources)
  const nothing = { tasks: [], taskAt: [], epics: [], epicAt: [], taskIndex: new Map(), epicIndex: new Map() }
  const draft: Waiting = { list: 'entries', ...nothing, badIds: new Set(), wording: WORDING }
  entries.forEach((entry, index) => {
    if (!entry) return
    checkUses(entry.uses, declared, ['entries', index, 'uses'], findings)
    addTask(draft, { id: entry.id, needs: entry.needs ?? [], after: [], epic: null, isolation: 'task' }, index)
  })
  checkReferences(draft, findings)
  checkCycles(draft, findings)
  for (const [n, name] of (head.quarantine ?? []).entries())
    if (!draft.taskIndex.has(name)) {
      const near = suggestion(name, draft.taskIndex.keys())
      addWarning(findings, ['quarantine', n], `there is no entry ${shown(name)}${near}`)
    }
}

/** The plan files and folders that its entries name. */
export function plansOf({ entries }: Pick<ReadSuite, 'entries'>): string[] {
  return [...new Set(entries.flatMap(({ plan }) => plan ?? []))]
}

/** Glob patterns of the test files that the entry splits. */
export function fileGlobs({ files }: EntryInput): string[] {
  return listOf(files) ?? []
}
