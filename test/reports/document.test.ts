// A report as data: the same in Markdown and as a page, whatever agents wrote into it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentInHtml, documentInMarkdown, type ReportDocument } from '../../src/reports/document.ts'
import { assertLoadsNothing, assertPolicy, assertSound, HOSTILE } from './page-checks.ts'

function reportOf(words: string): ReportDocument {
  return {
    title: words,
    words: [words, ['Run ', { code: words }, '.']],
    figures: [['Time', '12s', words]],
    sections: [
      null,
      { title: 'Empty' },
      { title: `Table ${words}`, words: [words], head: ['a', words], rows: [[{ ownRow: 'x' }, words]], leftOut: 3 },
      { title: 'List', rows: [['Agent', { code: words }]], list: [[{ tasks: ['x', 'y'] }, ': ', words]] },
      { title: 'Parts', sections: [{ title: words, words: [words], blocks: [`${words}\n\`\`\``] }] },
      { title: 'Only drawn', drawing: '<svg></svg>' },
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

test('the same as a page: sound, without a script, and hostile words stay text', () => {
  for (const words of ['a', HOSTILE]) {
    const page = documentInHtml(reportOf(words))
    assertSound(page)
    assertLoadsNothing(page)
    assertPolicy(page)
    for (const character of ['\u202e', '\u001b', '\u0000']) assert.ok(!page.includes(character))
  }
  const page = documentInHtml(reportOf('a'))
  assert.match(page, /<h2>Only drawn<\/h2><svg><\/svg>/)
  assert.match(page, /<details open><summary>a<\/summary><p class="soft">a<\/p><pre>a\n(&#96;){3}<\/pre><\/details>/)
  assert.doesNotMatch(page, /Empty|Graph/)
})
