// Adds commands to `checks` of a settings file. Everything else in it stays byte for byte.
import { isDeepStrictEqual } from 'node:util'
import { isMap, isNode, isScalar, isSeq, parse, parseDocument, type Scalar } from 'yaml'

/** Null: the file has no simple place for them. */
export function withChecks(text: string, commands: readonly string[]): string | null {
  try {
    const { checks, ...others } = (parse(text) ?? {}) as Record<string, unknown>
    const old: unknown = checks ?? []
    if (!Array.isArray(old)) return null
    const added = commands.filter((command) => !old.includes(command))
    if (added.length === 0) return text
    const quoted = added.map((command) => JSON.stringify(command))
    const edited = withItems(text, quoted)
    return isDeepStrictEqual(parse(edited), { ...others, checks: [...old, ...added] }) ? edited : null
  } catch {
    return null
  }
}

function withItems(text: string, items: readonly string[]): string {
  const { contents } = parseDocument(text)
  const pair = isMap(contents) ? contents.items.find(({ key }) => isScalar(key) && key.value === 'checks') : undefined
  const list = items.map((item) => `  - ${item}\n`).join('')
  if (!pair) return `${text}${/[^\n]$/.test(text) ? '\n' : ''}checks:\n${list}`
  const { value } = pair
  if (!isSeq(value)) {
    const [start, end] = (value as Scalar).range ?? [0, 0]
    return `${text.slice(0, start)}${/\s$/.test(text.slice(0, start)) ? '' : ' '}[${items.join(', ')}]${text.slice(end)}`
  }
  const last = value.items.at(-1)
  const end = isNode(last) ? (last.range?.[1] ?? 0) : (value.range?.[0] ?? 0) + 1
  if (value.flow) return `${text.slice(0, end)}${last ? ', ' : ''}${items.join(', ')}${text.slice(end)}`
  const line = text.indexOf('\n', end - 1)
  const indent = /[ \t]*$/.exec(text.slice(0, value.range?.[0]))?.[0] ?? ''
  const whole = line < 0 ? `${text}\n` : text.slice(0, line + 1)
  return `${whole}${items.map((item) => `${indent}- ${item}\n`).join('')}${line < 0 ? '' : text.slice(line + 1)}`
}
