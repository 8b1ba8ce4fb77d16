// The ways to say what kind of report is wanted, and where.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { runProgram } from '../../../src/cli/program.ts'
import { palette } from '../../../src/cli/terminal/palette.ts'
import { espalierHere } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'
import { FakeTerminal } from '../fake-terminal.ts'

const PAGE = /^<!doctype html>/
const MARKDOWN = /^# shop: Everything landed\n/

test('a report is Markdown, JSON or a page, on stdout or in a file', async () => {
  await using repository = await makeRepository({
    files: { 'espalier.yaml': 'name: shop\ntasks: [{ id: a, run: echo a >a.txt }]\n' },
  })
  const report = async (...args: string[]) => {
    const { status, out, err } = await espalierHere(repository.top, ['report', ...args])
    assert.equal(status, 0, err)
    return out
  }
  const written = async (file: string, ...args: string[]) => {
    const path = repository.at(file)
    assert.equal(await report(...args), `${path}\n`)
    return readFileSync(path, 'utf8')
  }
  assert.equal((await espalierHere(repository.top, ['run'])).status, 0)

  const own = repository.at('repo.espalier', 'reports', 'shop-1.html')
  assert.match(await written('repo.espalier/reports/shop-1.html', '--html'), PAGE)
  assert.match(await report('--html', '-'), PAGE)
  assert.match(await report('shop-1'), MARKDOWN)
  assert.equal(JSON.parse(await report('--json')).run, 'shop-1')
  assert.match(await written('page.html', '--html', '../page.html'), PAGE)
  assert.match(await written('pages/page.html', '--html', '../pages/page.html'), PAGE)
  assert.match(await written('REPORT.md', '-o', '../REPORT.md'), MARKDOWN)
  const json = await written('report.json', '--json', '-o', '../report.json')
  assert.equal(JSON.parse(json).run, 'shop-1')

  const [out, err] = [new FakeTerminal(1_000), new FakeTerminal()]
  const plain = { outPalette: palette(false), errPalette: palette(false) }
  const surroundings = {
    out: out.output,
    err: err.output,
    env: {},
    cwd: repository.top,
    home: repository.path,
    ...plain,
  }
  await runProgram(['node', 'espalier', 'report', '--html'], '1.2.3', { ...surroundings, live: false })
  assert.deepEqual(out.screen, [own], 'in a terminal')
  assert.match(readFileSync(own, 'utf8'), PAGE)
})
