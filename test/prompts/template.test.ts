import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatProblem } from '../../src/problem.ts'
import { fill, mentions, parseTemplate, type Template } from '../../src/prompts/template.ts'

const VARIABLES = ['name', 'tea', 'none']

function parsed(text: string): Template {
  const template = parseTemplate(text, 't.md', VARIABLES)
  assert.ok(template.ok, JSON.stringify(template))
  return template.value
}

const values = { name: 'Ada', tea: 'green\nblack', none: '' }

const cases: { of: string; text: string; gives: string }[] = [
  { of: 'plain text', text: 'no marks { } }} here\n', gives: 'no marks { } }} here\n' },
  { of: 'values', text: '{{name}} has {{ tea }}{{none}}.', gives: 'Ada has green\nblack.' },
  { of: 'sections', text: 'a{{#name}}b{{/name}}{{#none}}c{{/none}}d', gives: 'abd' },
  { of: 'what stands where there is nothing', text: '{{^none}}nothing{{/none}}{{^name}}x{{/name}}', gives: 'nothing' },
  {
    of: 'sections in sections',
    text: '{{#name}}<{{#tea}}{{name}}{{#none}}!{{/none}}{{/tea}}>{{/name}}',
    gives: '<Ada>',
  },
  { of: 'lines of their own', text: 'a\n{{#name}}\n  b\n  {{/name}}  \nc\n', gives: 'a\n  b\nc\n' },
  { of: 'lines of their own that vanish', text: 'a\n{{#none}}\nb\n{{/none}}\nc\n', gives: 'a\nc\n' },
  { of: 'a mark at the very end', text: 'a\n{{#name}}\nb\n{{/name}}', gives: 'a\nb\n' },
  { of: 'a value on a line of its own', text: 'a\n{{none}}\nb', gives: 'a\n\nb' },
  { of: 'remarks', text: '{{! of\ntwo lines }}\na{{! short }}b', gives: 'ab' },
  { of: 'braces as such', text: '\\{{name}} and \\{{', gives: '{{name}} and {{' },
]
for (const { of, text, gives } of cases)
  test(`a template can have ${of}`, () => assert.equal(fill(parsed(text), values), gives))

test('what is put in is never looked at again', () => {
  const hostile = ['{{tea}}', '{{#none}}', '{{/name}}', '\\{{', '$&', "$'", '\0']
  for (const name of hostile) assert.equal(fill(parsed('[{{name}}]'), { ...values, name }), `[${name}]`)
})

const mistakes: { text: string; says: RegExp }[] = [
  { text: 'a\n\n{{nme}}', says: /^t\.md:3: there is no variable `nme` .*only name, tea, none; did you mean `name`\?/ },
  { text: '{{#name}}\n{{constructor}}{{/name}}', says: /^t\.md:2: there is no variable `constructor`/ },
  {
    text: 'a {{ user.name }}',
    says: /^t\.md:1: there is no variable `user\.name` \(where two braces are meant, write `\\{{`/,
  },
  { text: 'a\n{{#tea}}\nb', says: /^t\.md:2: the section `tea` has no end: close it with `{{\/tea}}`$/ },
  { text: 'a{{/tea}}', says: /^t\.md:1: `{{\/tea}}` closes a section that is not open: no section is open$/ },
  { text: '{{#name}}\n{{/tea}}{{/name}}', says: /^t\.md:2: `{{\/tea}}` .*: the section `name` of line 1 is$/ },
  { text: 'a\n{{name', says: /^t\.md:2: `{{` has no `}}`/ },
]
for (const { text, says } of mistakes)
  test(`a mistake is told with its place: ${JSON.stringify(text)}`, () => {
    const template = parseTemplate(text, 't.md', VARIABLES)
    assert.ok(!template.ok)
    assert.match(formatProblem(template.problems[0] as never), says)
    assert.equal(template.problems.length, 1)
  })

test('a template of nothing but marks is read and filled in no time, however deep', () => {
  const deep = 1_500
  const text = `${'{{#name}}'.repeat(deep)}{{name}}${'{{/name}}'.repeat(deep)}`
  assert.equal(fill(parsed(text), values), 'Ada')
  assert.ok(!parseTemplate('{{'.repeat(10_000), 't.md', VARIABLES).ok)
})

test('whether a template puts a text in, also inside a section', () => {
  assert.equal(mentions(parsed('{{#tea}}{{#name}}{{name}}{{/name}}{{/tea}}'), 'name'), true)
  assert.equal(mentions(parsed('{{#tea}}{{name}}{{/tea}}'), 'tea'), false)
})
