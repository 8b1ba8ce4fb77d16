// Reads every JSON format by its table, which names the field for each property of a task, and writes statuses back.
import { ok, type Result } from '../../../problem.ts'
import { shown } from '../../document/field.ts'
import { readJson } from '../../document/json.ts'
import { filledLines, firstJsonLine, readJsonLines } from '../../document/jsonl.ts'
import type { Document } from '../../document/place.ts'
import { isMapping } from '../../document/schema-check.ts'
import type { Format, SourceFile, StatusEntry, TranslateOptions, Translation } from '../format.ts'
import { contextOfEach, otherFields, type PromptSection, promptText } from '../prompt-from-fields.ts'
import { plainStatus, stateOf } from '../status/status-words.ts'
import { taskContent } from '../status/text-edits.ts'
import type { Choice, Group, JsonNode, JsonTable } from './format-table.ts'
import { orderOf, resolveNeeds } from './needs.ts'
import { JsonReader, WAIT_FIELDS } from './reader.ts'
import { hasFields, jsonEditor } from './set-fields.ts'
import { readNodes } from './tasks-of-file.ts'

export function jsonFormat(table: JsonTable): Format {
  const { name, title, sign, words, parts, isLines, recognises, resembles } = table
  const rootOf = ({ text, json }: SourceFile): unknown => json?.value ?? (isLines ? firstJsonLine(text) : undefined)
  const looksSo =
    (is: ((root: Record<string, unknown>) => boolean) | undefined) =>
    (file: SourceFile): boolean => {
      const root = rootOf(file)
      return isMapping(root) && (is?.(root) ?? false)
    }
  return {
    ...{ name, title, sign, kind: 'json', recognises: looksSo(recognises), resembles: looksSo(resembles) },
    ...(words ? { words } : {}),
    ...(parts ? { parts } : {}),
    translate: ([file], options) => translate(table, file as SourceFile, options),
    status: { words: table.status.words, read: (file, part) => readStatuses(table, file, part) },
  }
}

function open(table: JsonTable, file: SourceFile, part: string | null) {
  const known = file.json ? ok(file.json) : null
  const read = table.isLines ? readJsonLines(file.text, file.file) : (known ?? readJson(file.text, file.file))
  if (!read.ok) return read
  const document = table.isLines ? listed(read.value, table.tasks.list) : read.value
  const chosen = table.choose?.(document, file, part) ?? ok<Choice>({ path: [] })
  if (!chosen.ok) return chosen
  const reader = new JsonReader(document, file.file)
  const root = chosen.value.path.reduce((item, name) => reader.inner(item, name), reader.root())
  return ok({ reader, root, choice: chosen.value })
}

/** Puts the tasks under a name, as in the formats whose lists have one. */
function listed(lines: Document, list: string): Document {
  return {
    value: { [list]: lines.value },
    locate: (spots) => lines.locate(spots.map(({ path, at }) => ({ path: path.slice(1), at }))),
  }
}

function translate(table: JsonTable, file: SourceFile, { part, checks }: TranslateOptions): Result<Translation> {
  const { groups: groupTable, tasks, nothing } = table
  const opened = open(table, file, part)
  if (!opened.ok) return opened
  const { reader, root, choice } = opened.value
  choice.remark?.(reader)
  const all = readNodes(reader, table, root)
  const { groups, nodes } = all
  reader.head(table.head(reader, root, nodes))
  const known = knownFields(table)
  const leadFields = [...tasks.title, ...tasks.words].map((name) => `\`${name}\``).join(' or ')
  for (const { item, what } of nodes) reader.noteUntold(item, known, what)
  for (const { item, source } of groups) {
    const status = reader.prose(item, 'status')
    if (stateOf(status, table.status.field.states) === 'skipped')
      reader.assumeStatus([...item.path, 'status'], `${groupTable?.what}s`, source, {
        is: shown(status),
        state: 'skipped',
      })
  }
  noteStatuses(reader, table, nodes)
  resolveNeeds(reader, table, all)
  const order = orderOf(reader, table, all)
  for (const group of groups) {
    if (!group.tasks.some(({ state }) => state === 'open')) continue
    const { item, epic, source } = group
    const priority = reader.priority(item)
    const title = reader.prose(item, groupTable?.title ?? '')
    reader.epic({ id: epic, title, needs: order.needsOfGroup(group), priority }, item.path, source)
  }
  table.remark?.(reader, all, root)
  const titleField = groupTable?.title ?? 'title'
  const titleAndDescription = ({ item }: Group | JsonNode) =>
    [titleField, 'description'].map((name) => reader.prose(item, name))
  const about = contextOfEach(
    nodes.length,
    (whole: Group | JsonNode) => tasks.about?.(reader, whole, root, known) ?? titleAndDescription(whole),
  )
  const epics = new Set<JsonNode>()
  for (const node of nodes) {
    reader.entries.push({ task: node.task, source: node.source, state: node.state })
    if (node.state !== 'open' || order.isSum(node)) continue
    const epic = order.epicOf(node)
    if (epic && 'parts' in epic && !epics.has(epic))
      reader.epic({ id: epic.task, title: reader.prose(epic.item, titleField) }, epic.item.path)
    if (epic && 'parts' in epic) epics.add(epic)
    addTask(node, epic && ('parts' in epic ? epic.task : epic.epic))
  }
  for (const { item, source } of tasks.isEpic ? epics : [])
    reader.assume(item.path, `epics are done when their ${tasks.list} are, and not run themselves`, source)
  const read = reader.finishJson(`there are no ${tasks.what}s in it: ${nothing}`)
  return read.ok ? ok({ ...read.value, part: choice.part }) : read

  function addTask(node: JsonNode, epic: string | null): void {
    const { item, what, source, task: id, parent, group } = node
    const title = reader.prose(item, ...tasks.title)
    const words = reader.prose(item, ...tasks.words)
    const lead = title === '' || words === title ? words : words === '' ? title : `${title}\n\n${words}`
    if (lead === '') reader.error(item.path, `this ${what} has no ${leadFields}: what is to be done?`)
    const { fields: own = {}, sections = [], about: place = '' } = tasks.more?.(reader, node, checks) ?? {}
    const told = tasks.sections.map(
      ([heading, name, text]): PromptSection => [heading, text ? text(item) : reader.prose(item, name)],
    )
    const whole = parent ?? group
    const { write, read } = tasks.files?.(reader, item) ?? {
      write: (tasks.write ?? []).flatMap((name) => reader.texts(item, name)),
      read: (tasks.read ?? []).flatMap((name) => reader.texts(item, name)),
    }
    const paths = { write: reader.paths(item, write), read: reader.paths(item, read) }
    reader.task(
      {
        id,
        title: title === '' ? undefined : title,
        prompt: promptText(lead, [
          ...told.filter(([, text]) => text !== lead),
          ...reader.otherSections(item, known),
          ['What this is part of', [whole ? about(whole) : '', place].filter(Boolean).join('\n\n')],
          ...sections,
        ]),
        epic: epic ?? undefined,
        [tasks.isSoft?.(reader, item) ? 'after' : 'needs']: order.needsOf(node),
        ...reader.claims(paths, item.path, () => `${what} ${shown(source)}`),
        priority: reader.priority(item) ?? (parent && tasks.parts ? reader.priority(parent.item) : undefined),
        ...own,
      },
      item.path,
    )
  }
}

function noteStatuses(reader: JsonReader, { tasks, status: { field } }: JsonTable, nodes: readonly JsonNode[]): void {
  for (const { item, source, state, status, leftOut, parent, parts, group } of nodes) {
    if ((parent && tasks.parts && parent.state !== 'open') || group?.isLeftOut) continue
    const place = (name: string) => [...item.path, name]
    if (leftOut)
      reader.assumeStatus(place(leftOut.field), `${tasks.what}s`, source, { is: leftOut.is, state: 'skipped' })
    const plain = plainStatus(status.word)
    const isKnown = field.states.open.includes(plain)
    const isFresh = ['', ...(field.states.fresh ?? field.states.open.slice(0, 1))].includes(plain)
    // The status of a task with parts follows from its parts, so it needs no remark.
    const isQuiet = isKnown && tasks.parts !== undefined && parts.length > 0
    if (leftOut || state !== 'open' || isFresh || isQuiet || stateOf(status.word, field.states) !== 'open') continue
    const is = `${shown(status.word)}${isKnown ? '' : ', a status that is not known here,'}`
    reader.assumeStatus(place(status.field), `${tasks.what}s`, source, { is, state })
  }
}

function contentFields({ tasks }: JsonTable): string[] {
  const { title, words, sections, write = [], read = [], meaning = [], waits } = tasks
  const named = sections.map(([, field]) => field).filter((field) => field !== 'notes' && field !== 'comments')
  const waitFields = WAIT_FIELDS.filter((name) => !waits.not?.includes(name))
  return [...new Set([...title, ...words, ...named, ...write, ...read, ...meaning, ...waitFields])]
}

function knownFields(table: JsonTable): ReadonlySet<string> {
  const { sections, kept, parts, waits } = table.tasks
  const named = sections.map(([, field]) => field)
  const own = ['id', 'priority', ...(parts ? [parts] : []), ...(table.groups?.namedBy ? [table.groups.namedBy] : [])]
  return new Set([
    ...[...own, ...contentFields(table), ...named, ...kept, ...table.status.field.fields, ...(waits.not ?? [])],
  ])
}

function readStatuses(table: JsonTable, file: SourceFile, part: string | null): Result<StatusEntry[]> {
  const opened = open(table, file, part)
  if (!opened.ok) return opened
  const { reader, root } = opened.value
  const { nodes } = readNodes(reader, table, root)
  const { field, isAsInFile, more } = table.status
  const fromFile = isAsInFile
    ? field.wordsOf(
        root.value,
        nodes.map(({ item }) => item.value),
      )
    : null
  const lines = table.isLines ? [...filledLines(file.text)] : []
  const editors = lines.map(({ line, offset }) => jsonEditor(line, offset))
  const whole = jsonEditor(file.text)
  const known = knownFields(table)
  const isEpic = ({ item }: JsonNode): boolean => table.tasks.isEpic?.(item) ?? true
  return ok(
    nodes.map((node): StatusEntry => {
      const { item, source, state, status } = node
      const [editor, path] = table.isLines ? [editors[Number(item.path[1])], []] : [whole, item.path]
      return {
        ...{ source, state, parent: epicOf(node.parent)?.source ?? null },
        status: fromFile ? field.usualWord(item.value) : status.word,
        content: () => contentOf(table, node, known),
        edits: (word, facts) => {
          const wanted = fromFile
            ? field.edits(word, item.value, fromFile)
            : { status: word, ...more?.(item, word, facts) }
          return editor && !hasFields(item.value, wanted) ? editor(path, wanted, 'id') : []
        },
      }
    }),
  )

  function epicOf(parent: JsonNode | null): JsonNode | null {
    let one = parent
    while (one && !isEpic(one)) one = one.parent
    return one
  }
}

/** The task's text to hash: the fields of the table, and the other fields that reach the agent. */
function contentOf(table: JsonTable, node: JsonNode, known: ReadonlySet<string>): string {
  const { value } = node.item
  return taskContent([
    ...contentFields(table).map((name) => table.tasks.plain?.(name, value[name]) ?? value[name]),
    ...(table.tasks.content?.(node) ?? []),
    ...otherFields(value, known).map(({ name, text }) => [name, text]),
  ])
}

export function timeOf(ms: number | null): string | undefined {
  return ms === null ? undefined : new Date(ms).toISOString()
}
