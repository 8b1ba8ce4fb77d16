import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { anchorsOf, pageNames, pageText, ROOT, relativeLinks } from './pages.ts'

for (const page of ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...pageNames()]) {
  test(`every link of ${page} leads to a file and a heading that exist`, () => {
    const broken = relativeLinks(page).filter(({ file, anchor }) => {
      if (!existsSync(join(ROOT, file))) return true
      return anchor !== null && file.endsWith('.md') && !anchorsOf(file).has(anchor)
    })
    assert.deepEqual(
      broken.map(({ link }) => link),
      [],
    )
  })
}

test('what a link to a source file is called is what the file is called', () => {
  const wrong = ['ARCHITECTURE.md', 'CONTRIBUTING.md', ...pageNames()].flatMap((page) =>
    [...pageText(page).matchAll(/\[([\w./-]+\.ts)\]\(([^)\s#]+\.ts)\)/g)]
      .filter(([, label = '', target = '']) => !target.endsWith(label.replace(/^(\.\.?\/)+/, '')))
      .map(([link]) => `${page}: ${link}`),
  )
  assert.deepEqual(wrong, [])
})

test('the index of docs/ links to every page there', () => {
  const linked = new Set(relativeLinks('docs/README.md').map(({ file }) => file))
  const missing = pageNames().filter((page) => page.startsWith('docs/') && page !== 'docs/README.md')
  assert.deepEqual(
    missing.filter((page) => !linked.has(page)),
    [],
  )
})
