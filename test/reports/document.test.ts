// A report as data, in Markdown, whatever agents wrote into it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentInMarkdown, type ReportDocument } from '../../src/reports/sections/section.ts'
import { HOSTILE } from './sample.ts'

function reportOf(words: string): ReportDocument {
  return {
    title: words,
    words: [words, ['Run ', { code: words }, '.']],
    figures: [['Time', '12s', 'a']],
    sections: [
      null,
      { title: 'Empty' },
      { title: `Table ${words}`, words: [words], head: ['a', words], rows: [[{ ownRow: 'x' }, words]], leftOut: 3 },
      { title: 'List', rows: [['Agent', { code: words }]], list: [[{ tasks: ['x', 'y'] }, ': ', words]] },
      { title: 'Parts', sections: [{ title: words, words: [words], blocks: [`${words}\n\`\`\``] }] },
      { title: 'Graph', mermaid: 'flowchart LR\n' },
    ],
  }
}

test('a document in Markdown has its figures, tables, lists, parts and blocks', () => {
  assert.equal(
    documentInMarkdown(reportOf('a')),
    [
      ...['# a', 'a', 'Run `a`.', '|  |  |  |\n| --- | --- | --- |\n| Time | **12s** | a |'],
      ...['## Table a', 'a', '| a | a |\n| --- | --- |\n| `x` | a |', 'And 3 more; the JSON report has all of them.'],
      ...['## List', '- Agent: `a`\n- `x`, `y`: a', '## Parts', '### a', 'a', '````text\na\n```\n````'],
      ...['## Graph', '```mermaid\nflowchart LR\n```\n'],
    ].join('\n\n'),
  )
})

test('hostile words stay words in Markdown', () => {
  const text = documentInMarkdown(reportOf(HOSTILE))
  for (const character of ['\u202e', '\u001b', '\u0000']) assert.ok(!text.includes(character))
  const prose = text.replace(/^(`{3,}).*\n[\s\S]*?\n\1$/gm, '').replace(/(`+)[^\n]*?\1/g, '')
  assert.doesNotMatch(prose, /<(script|img|svg)/)
})
