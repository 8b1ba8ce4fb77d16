// Finds the imports of a TypeScript file without a parser: comments and the insides of strings, templates and regular
// expressions are blanked first, so that only real `import` and `from` remain, then the specifiers are read back.

export type Import = {
  specifier: string
  line: number
  /** What the other file calls them, types included; null: all there are, or it is not known which (`import('…')`). */
  names: string[] | null
  dynamic: boolean
  /** `import type …` and `export type …`, which Node does not load. */
  typeOnly: boolean
}

/** Static and dynamic imports with a literal specifier, and `export … from`, in the order of the file. */
export function importsOf(code: string): Import[] {
  const blank = blanked(code)
  const pattern = /(?<![.\w$])(?:from\s*|import\s*\(?\s*)(['"`])([^'"`]*)\1/g
  return [...blank.matchAll(pattern)].map((match) => {
    const end = match.index + match[0].length - 1
    const start = end - (match[2] ?? '').length
    const dynamic = match[0].includes('(')
    const clause = match[0].startsWith('from') ? clauseOf(blank.slice(0, match.index)) : null
    const names = dynamic ? null : clause === null ? [] : namesIn(clause)
    const line = code.slice(0, match.index).split('\n').length
    return {
      specifier: code.slice(start, end),
      line,
      names,
      dynamic,
      typeOnly: /^\s*type\s+[\w${*]/.test(clause ?? ''),
    }
  })
}

/** The text between the last `import` or `export` and the `from` that follows this code. */
function clauseOf(before: string): string {
  const keyword = [...before.matchAll(/(?<![.\w$])(?:import|export)(?![\w$])/g)].at(-1)
  return before.slice((keyword?.index ?? 0) + (keyword?.[0].length ?? 0))
}

function namesIn(statement: string): string[] | null {
  const clause = statement.replace(/^\s*type(?=\s+[\w${*])/, '')
  if (clause.includes('*')) return null
  const [outside = '', inside = ''] = clause.split(/[{}]/)
  const names = inside.split(',').flatMap((name) => /^\s*(?:type\s+)?([\w$]+)/.exec(name)?.[1] ?? [])
  return /[\w$]/.test(outside) ? ['default', ...names] : names
}

/** The same code, of the same length, with a space for everything that only looks like code. Newlines stay. */
export function blanked(code: string): string {
  let out = ''
  let at = 0
  // What the current `}` ends: a block, or the `${…}` of a template that then goes on.
  const braces: ('block' | 'template')[] = []
  const keep = (length: number) => {
    out += code.slice(at, at + length)
    at += length
  }
  const blank = (length: number) => {
    out += code.slice(at, at + length).replace(/[^\n]/g, ' ')
    at += length
  }
  const template = () => {
    blank(lengthOf(/(?:\\[\s\S]|\$(?!\{)|[^\\$`])*/y, code, at))
    if (code.startsWith('${', at)) {
      braces.push('template')
      keep(2)
    } else keep(1)
  }
  while (at < code.length) {
    const here = code[at]
    if (code.startsWith('//', at)) blank(lengthOf(/[^\n]*/y, code, at))
    else if (code.startsWith('/*', at)) blank(lengthOf(/\/\*[\s\S]*?(?:\*\/|$)/y, code, at))
    else if (here === "'" || here === '"') {
      keep(1)
      blank(lengthOf(here === "'" ? /(?:\\[\s\S]|[^\\'\n])*/y : /(?:\\[\s\S]|[^\\"\n])*/y, code, at))
      keep(1)
    } else if (here === '`') {
      keep(1)
      template()
    } else if (here === '/' && startsExpression(out)) {
      blank(lengthOf(/\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*|\//y, code, at))
    } else if (here === '}' && braces.pop() === 'template') {
      keep(1)
      template()
    } else {
      if (here === '{') braces.push('block')
      keep(1)
    }
  }
  return out
}

function lengthOf(pattern: RegExp, code: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(code)?.[0].length ?? 0
}

/** After these a `/` opens a regular expression; after a name, a number or a closing bracket it divides. */
function startsExpression(before: string): boolean {
  return /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|await|yield|void|throw))\s*$/.test(
    before.slice(-200),
  )
}
