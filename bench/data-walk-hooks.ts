// Imported before the command by `data-walk`: writes down which files of WALK_SOURCES a process walks through, in the file
// WALK_RECORD. Every function tells the recorder its file when it is called. The top level of a module is no function and
// tells nothing; the functions that it calls do, and are marked.
import { writeFileSync } from 'node:fs'
import { type LoadHookSync, registerHooks } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'

/** `entries` are calls that came from another file: its number in `files`, when, and whether a module was being loaded. */
export type WalkRecord = { files: string[]; entries: WalkEntry[] }
export type WalkEntry = [file: number, atMs: number, loading: boolean]

type Node = { type: string; start: number; end: number; body?: Node | null; [key: string]: unknown }

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

const { WALK_SOURCES = '', WALK_RECORD = '' } = process.env
const record: WalkRecord = { files: [], entries: [] }
/** Modules whose top level is being executed. */
let loading = 0

Object.assign(globalThis, {
  __walk(file: number) {
    const last = record.entries.at(-1)
    if (last?.[0] !== file || last[2] !== loading > 0) record.entries.push([file, Date.now(), loading > 0])
  },
  __walkLoads(by: number) {
    loading += by
  },
})
registerHooks({ load })
process.on('exit', () => writeFileSync(WALK_RECORD, JSON.stringify(record)))

function load(...[url, context, next]: Parameters<LoadHookSync>): ReturnType<LoadHookSync> {
  const loaded = next(url, context)
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return loaded
  const path = relative(WALK_SOURCES, fileURLToPath(url))
  if (path.startsWith('..')) return loaded
  const number = record.files.push(path) - 1
  return { ...loaded, source: instrumented(path, String(loaded.source), number) }
}

/** With the same lines, so that errors still say where they come from. */
function instrumented(path: string, source: string, number: number): string {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const call = `__walk(${number})`
  const inserts: { at: number; text: string }[] = []
  for (const { body } of functions(program)) {
    if (body?.type === 'BlockStatement' || body?.type === 'FunctionBody')
      inserts.push({ at: body.start + 1, text: `${call};` })
    else if (body) inserts.push({ at: body.start, text: `(${call},` }, { at: body.end, text: ')' })
  }
  // Stable: where one arrow is the body of another, the brackets of the outer one come first and last.
  inserts.sort((one, other) => one.at - other.at)
  const pieces = ['__walkLoads(1);']
  let from = 0
  for (const { at, text } of inserts) {
    pieces.push(source.slice(from, at), text)
    from = at
  }
  return [...pieces, source.slice(from), ';__walkLoads(-1)\n'].join('')
}

function* functions(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const one of value) yield* functions(one)
    return
  }
  const node = value as Node
  if (FUNCTIONS.has(node.type)) yield node
  for (const one of Object.values(node)) yield* functions(one)
}
