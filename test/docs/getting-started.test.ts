// The commands of "Getting started", typed one after the other in a repository as its page describes it, with a scripted
// agent in the place of Claude Code. Every line that the page shows is seen, in that order.
import assert from 'node:assert/strict'
import { chmod } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { espalierHere } from '../rig/espalier.ts'
import { makeRepository, write } from '../rig/repository.ts'
import { blocksOf } from './pages.ts'

const PAGE = 'docs/getting-started.md'
const FAKE = fileURLToPath(new URL('../rig/fake-claude.mjs', import.meta.url))

const FILES = {
  'package.json': '{"name": "shop", "type": "module", "scripts": {"test": "node --test"}}\n',
  'README.md': '# Shop\n\nRun the tests with `make test`.\n',
  'src/total.js': 'export const total = (prices) => prices.reduce((sum, price) => sum + price, 0)\n',
  'test/total.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/total.js'

test('total', () => assert.equal(total([1, 2]), 3))
`,
}

/** What the scripted agent does for each of the two tasks. */
const WORK = `case $ESPALIER_TASK in
readme) sed 's/make test/npm test/' README.md > new && mv new README.md;;
test) printf "\\ntest('nothing', () => assert.equal(total([]), 0))\\n" >> test/total.test.js;;
esac`

/** Times, commits and counts of lines differ from run to run. */
function plain(line: string): string {
  return line
    .replace(/\b[0-9a-f]{8}\b/g, 'COMMIT')
    .replace(/\d+\.\d+s/g, 'TIME')
    .replace(/ +/g, ' ')
    .trim()
}

function assertShows(output: string, lines: readonly string[], command: string): void {
  let rest = output.split('\n').map(plain)
  for (const line of lines.map(plain).filter((one) => one !== '')) {
    const found = rest.findIndex((one) => one.includes(line))
    assert.ok(found >= 0, `\`${command}\` does not show "${line}":\n${output}`)
    rest = rest.slice(found)
  }
}

test('every command of the page does what the page shows, and the change is on main', async () => {
  await using repository = await makeRepository({ files: FILES })
  const [shop, bin, home] = [repository.at('shop'), repository.at('bin'), repository.at('home')]
  repository.git('clone', '-q', '.', shop)
  repository.git('-C', shop, 'config', 'user.name', 'Ada')
  repository.git('-C', shop, 'config', 'user.email', 'ada@example.com')
  const play = { sh: WORK, say: 'Done.', costUsd: 0.04, tokens: 1_200 }
  await write(repository.at('plays', '1.json'), JSON.stringify(play))
  await write(`${home}/.claude/.credentials.json`, '{"token": "x"}')
  const script = `#!/bin/sh\nCLAUDE_FAKE='${repository.at('plays')}' exec '${process.execPath}' '${FAKE}' "$@"\n`
  await write(`${bin}/claude`, script)
  await chmod(`${bin}/claude`, 0o755)

  const path = `${bin}:${process.env.PATH}`
  const blocks = blocksOf(PAGE)
  const commands = blocks.flatMap((block, index) => {
    const isOurs = block.info === 'sh' && block.text.startsWith('espalier ')
    return isOurs ? [{ command: block.text.trim(), shows: blocks[index + 1] }] : []
  })
  assert.deepEqual(
    commands.map(({ command }) => command),
    ['espalier init', 'espalier plan check', 'espalier run', 'espalier status', 'espalier land'],
  )
  for (const { command, shows } of commands) {
    const { status, out, err } = await espalierHere(shop, command.split(' ').slice(1), { path, home })
    assert.equal(status, 0, `${command}: ${out}${err}`)
    assert.equal(shows?.info, 'text')
    assertShows(`${out}\n${err}`, shows.text.split('\n'), command)
  }
  assert.match(repository.git('-C', shop, 'show', 'main:README.md'), /npm test/)
  assert.match(repository.git('-C', shop, 'show', 'main:test/total.test.js'), /total\(\[\]\)/)
})
