// Makes the terminal pictures of the documentation by running the program: docs/images/*.svg.
// Usage: npm run screenshots
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../../src/cli/program.ts'
import { palette } from '../../src/cli/terminal/palette.ts'
import { Screen } from './screen.ts'

const IMAGES = new URL('../../docs/images/', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'espalier-screenshots-'))

async function shown(cwd: string, words: string[], seen?: (screen: Screen) => void): Promise<Screen> {
  const screen = new Screen(100, seen)
  const colours = { outPalette: palette(true), errPalette: palette(true) }
  const env = { PATH: process.env.PATH, TMPDIR: folder, HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null' }
  await runProgram(['node', 'espalier', ...words], '0.0.0', {
    ...{ out: screen, err: screen, env, cwd, home: folder, live: words[0] === 'demo', ...colours },
  })
  return screen
}

function save(name: string, svg: string): void {
  writeFileSync(new URL(name, IMAGES), svg)
  console.log(`docs/images/${name}: ${svg.length} bytes`)
}

process.env.TMPDIR = folder
try {
  let half = ''
  const demo = await shown(folder, ['demo'], (screen) => {
    if (half === '' && /[5-8]\/12 done/.test(screen.text) && screen.text.includes('✗'))
      half = screen.svg('espalier run', 13)
  })
  save('run.svg', half)
  const repo = /A small repository: (\S+)/.exec(demo.text)?.[1] ?? ''
  save('status.svg', (await shown(repo, ['status'])).svg('espalier status'))
  save('help.svg', (await shown(repo, ['--help'])).svg('espalier --help'))
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
