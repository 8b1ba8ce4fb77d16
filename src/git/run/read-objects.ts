// Objects of the engine's repository, read by one `cat-file` that stays.
import { type EngineRepository, inEngine } from '../engine/engine-repository.ts'
import { BatchGit } from './batch.ts'

type ObjectInfo = { id: string; type: string; bytes: number }

/** Objects by name, an id or `<id>^{tree}` (no line breaks); null: no such object. */
export async function objectInfos(
  engine: EngineRepository,
  names: readonly string[],
): Promise<Map<string, ObjectInfo | null>> {
  const asked = [...new Set(names)]
  if (asked.length === 0) return new Map()
  const answer = await readerOf(engine).ask(asked.map((name) => `info ${checked(name)}`).join('\n'))
  const lines = answer.toString('latin1').split('\n')
  return new Map(asked.map((name, n) => [name, parseInfo(lines[n] ?? '')]))
}

export async function objectInfo(engine: EngineRepository, name: string): Promise<ObjectInfo | null> {
  return (await objectInfos(engine, [name])).get(name) ?? null
}

/** Contents by id; null: no such object, or larger than `maxBytes` (an agent decides how long it is). */
export async function readObjects(
  engine: EngineRepository,
  ids: readonly string[],
  maxBytes: number,
): Promise<Map<string, Buffer | null>> {
  const found = new Map<string, Buffer | null>()
  const small: string[] = []
  for (const [id, info] of await objectInfos(engine, ids)) {
    found.set(id, null)
    if (info && info.bytes <= maxBytes) small.push(id)
  }
  for (let n = 0; n < small.length; n += READ_AT_ONCE) {
    const ids = small.slice(n, n + READ_AT_ONCE)
    const answer = await readerOf(engine).ask(ids.map((id) => `contents ${id}`).join('\n'))
    // <id> <type> <size>LF<content>LF
    let start = 0
    for (const id of ids) {
      const end = answer.indexOf('\n', start)
      const info = parseInfo(answer.toString('latin1', start, end))
      if (info) found.set(id, answer.subarray(end + 1, end + 1 + info.bytes))
      start = end + 1 + (info ? info.bytes + 1 : 0)
    }
  }
  return found
}

const READ_AT_ONCE = 1_000

/** `<id> <type> <size>`, or `<name> missing`. */
function parseInfo(line: string): ObjectInfo | null {
  const [id = '', type = '', bytes] = line.split(' ')
  return bytes === undefined ? null : { id, type, bytes: Number(bytes) }
}

function checked(name: string): string {
  if (!/^[0-9a-f]{40,64}(\^\{tree\})?$/.test(name))
    throw new Error(`not the name of an object: ${JSON.stringify(name)}`)
  return name
}

const readers = new WeakMap<EngineRepository, BatchGit>()

function readerOf(engine: EngineRepository): BatchGit {
  const reader =
    readers.get(engine) ??
    new BatchGit({
      args: ['cat-file', '--batch-command'],
      options: inEngine(engine),
      mark: (name) => ({ question: `info ${name}`, answer: `${name} missing` }),
    })
  readers.set(engine, reader)
  return reader
}
