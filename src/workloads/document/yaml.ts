// YAML, as far as plans need it: one document, names that are texts, no name twice, few aliases.
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Document as Tree } from 'yaml'
import { LIMITS } from '../../config.ts'
import { ok, problem, type Result, refuse } from '../../problem.ts'
import { controlCharacter } from './control-character.ts'
import { offsetOfDepth, TOO_DEEP } from './depth.ts'
import { type Document, type Place, placeAt, type Spot } from './place.ts'

export function readYaml(text: string, file: string): Result<Document> {
  const control = controlCharacter(text)
  if (control) return refuse(problem(control.message, { file, ...placeAt(text, control.offset) }))

  const deep = offsetOfDepth(text, MAX_OPEN, false)
  if (deep !== null) return refuse(problem(TOO_DEEP, { file, ...placeAt(text, deep) }))

  const lines = new LineCounter()
  const tree = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    // The library compares every name with every other one; `faults` does it with a set.
    uniqueKeys: false,
  })
  const error = tree.errors[0]
  if (error) return refuse(problem(wording(error), { file, ...placeIn(lines, error.pos[0]) }))
  const faults = faultsOf(tree, lines)
  if (faults.length > 0) return refuse(...faults.map(({ message, place }) => problem(message, { file, ...place })))
  try {
    const value: unknown = tree.toJS({ maxAliasCount: LIMITS.yamlAliases })
    return ok({ value, locate: (spots) => spots.map((spot) => locate(tree, lines, spot)) })
  } catch (thrown) {
    // Anchors were checked above, so this can only be the limit on aliases.
    if (!(thrown instanceof ReferenceError)) throw thrown
    const message = `the aliases (\`*name\`) of this file repeat its parts more than ${LIMITS.yamlAliases} times`
    return refuse(problem(message, { file, line: 1, column: 1 }))
  }
}

/** More than open brackets in any text: the parser takes seconds to give up on a million, and reports less in no time. */
const MAX_OPEN = 10_000

function wording({ code, message }: { code: string; message: string }): string {
  if (code === 'TAB_AS_INDENT') return 'YAML is indented with spaces: there is a tab here'
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here (`---`): one file holds one'
  if (code === 'RESOURCE_EXHAUSTION') return 'lists and mappings are nested too deep here'
  if (code === 'NON_STRING_KEY') return 'a name must be a string'
  return `this is not valid YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`
}

/** Others would make values that are neither texts, numbers, lists nor mappings. */
const PLAIN_TAGS = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
)

type Fault = { message: string; place: Place }

/** Names written twice, aliases without an anchor, odd tags, too deep nesting: at most as many as are printed. */
function faultsOf(tree: Tree, lines: LineCounter): Fault[] {
  const faults: Fault[] = []
  const anchors = new Map<string, number>()
  const open: { node: unknown; depth: number }[] = [{ node: tree.contents, depth: 0 }]
  for (let next = open.pop(); next && faults.length < LIMITS.problems; next = open.pop()) {
    const { node, depth } = next
    if (!isNode(node)) continue
    if (depth > LIMITS.nesting) {
      faults.push(fault(node, TOO_DEEP))
      break
    }
    if (isAlias(node)) {
      const end = anchors.get(node.source)
      if (end === undefined) faults.push(fault(node, `there is no \`&${node.source}\` before this alias`))
      else if ((node.range?.[0] ?? 0) < end) faults.push(fault(node, 'this alias stands for something it is part of'))
      continue
    }
    if (node.anchor) anchors.set(node.anchor, node.range?.[1] ?? 0)
    if (node.tag && !PLAIN_TAGS.has(node.tag)) faults.push(fault(node, `the tag of this value has no meaning here`))
    if (isSeq(node)) for (const item of node.items.toReversed()) open.push({ node: item, depth: depth + 1 })
    if (!isMap(node)) continue
    const names = new Map<unknown, unknown>()
    for (const { key } of node.items) {
      const name = isScalar(key) ? key.value : key
      const first = names.get(name)
      if (first === undefined) names.set(name, key)
      else if (faults.length < LIMITS.problems)
        faults.push(fault(key, `\`${name}\` is here a second time; the first is in line ${placeOf(first).line}`))
    }
    for (const { key, value } of node.items.toReversed())
      open.push({ node: value, depth: depth + 1 }, { node: key, depth: depth + 1 })
  }
  return faults

  function fault(node: unknown, message: string): Fault {
    return { message, place: placeOf(node) }
  }
  function placeOf(node: unknown): Place {
    return placeIn(lines, (isNode(node) && node.range?.[0]) || 0)
  }
}

function locate(tree: Tree, lines: LineCounter, { path, at }: Spot): Place {
  let node: unknown = tree.contents
  let offset = (isNode(node) && node.range?.[0]) || 0
  for (const [depth, step] of path.entries()) {
    if (isAlias(node)) node = node.resolve(tree)
    if (isSeq(node)) node = node.items[Number(step)]
    else if (isMap(node)) {
      const pair = node.items.find(({ key }) => (isScalar(key) ? key.value : key) === step)
      // `needs:` without anything has a value without a place of its own.
      const empty = isScalar(pair?.value) && pair.value.range?.[0] === pair.value.range?.[1]
      const pointed = (at === 'name' && depth === path.length - 1) || empty ? pair?.key : pair?.value
      if (isNode(pointed) && pointed.range) offset = pointed.range[0]
      node = pair?.value
      continue
    } else break
    if (isNode(node) && node.range) offset = node.range[0]
  }
  return placeIn(lines, offset)
}

function placeIn(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}
