import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blanked, importsOf } from '../../scripts/imports.ts'

const cases: { name: string; code: string; found: string[] }[] = [
  { name: 'a static import', code: "import { a } from './a.ts'", found: ['1 ./a.ts'] },
  { name: 'a type import', code: "import type { A } from './a.ts'", found: ['1 ./a.ts'] },
  { name: 'an import for its effect', code: "import './a.ts'", found: ['1 ./a.ts'] },
  { name: 'an import over several lines', code: "\nimport {\n  a,\n} from './a.ts'", found: ['4 ./a.ts'] },
  {
    name: 'an export from',
    code: 'export * from \'./a.ts\'\nexport { b } from "./b.ts"',
    found: ['1 ./a.ts', '2 ./b.ts'],
  },
  { name: 'a dynamic import', code: "const a = await import('./a.ts')", found: ['1 ./a.ts'] },
  { name: 'a dynamic import in a template', code: `f\`\${await import(\`./a.ts\`)} text\``, found: ['1 ./a.ts'] },
  { name: 'a type taken by import()', code: "type A = import('./a.ts').A", found: ['1 ./a.ts'] },
  { name: 'nothing in a line comment', code: "// import './a.ts'", found: [] },
  { name: 'nothing in a block comment', code: "/*\nimport './a.ts'\n*/", found: [] },
  { name: 'nothing in a string', code: 'const s = "import \'./a.ts\'"', found: [] },
  { name: 'nothing in a template', code: "const s = `import './a.ts'`", found: [] },
  { name: 'nothing in Array.from', code: "Array.from('abc')", found: [] },
  {
    name: 'an import after a regular expression with a quote',
    code: "x(/['\"]/)\nimport './a.ts'",
    found: ['2 ./a.ts'],
  },
  { name: 'an import after a division', code: "const h = a / 2 // '\nimport './a.ts'", found: ['2 ./a.ts'] },
  {
    name: 'an import after a comment opener in a string',
    code: "const s = '/*'\nimport './a.ts'",
    found: ['2 ./a.ts'],
  },
  { name: 'an import after an escaped quote', code: "const s = 'it\\'s'\nimport './a.ts'", found: ['2 ./a.ts'] },
]

for (const { name, code, found } of cases) {
  test(`finds ${name}`, () => {
    assert.deepEqual(
      importsOf(code).map(({ line, specifier }) => `${line} ${specifier}`),
      found,
    )
  })
}

const named: { code: string; names: string[] | null }[] = [
  { code: "import { a, type B, c as d } from './x.ts'", names: ['a', 'B', 'c'] },
  { code: "const export1 = 1\nimport type {\n  A,\n  B,\n} from './x.ts'", names: ['A', 'B'] },
  { code: "export { importsOf } from './x.ts'", names: ['importsOf'] },
  { code: "import one, { two } from './x.ts'", names: ['default', 'two'] },
  { code: "import './x.ts'", names: [] },
  { code: "import * as all from './x.ts'", names: null },
  { code: "export * from './x.ts'", names: null },
  { code: "const { a } = await import('./x.ts')", names: null },
]
for (const { code, names } of named) {
  test(`knows which names come with ${code.replaceAll('\n', ' ')}`, () =>
    assert.deepEqual(importsOf(code)[0]?.names, names))
}

test('blanking keeps the length and the lines', () => {
  const code = `const a = \`x\${{ b: "}" }.b}y\n\` // end\nconst r = /a[/]b/g`
  assert.equal(blanked(code).length, code.length)
  assert.equal(blanked(code).split('\n').length, code.split('\n').length)
})
