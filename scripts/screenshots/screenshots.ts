// Makes every picture of the documentation by running the program: docs/images/*.svg of the terminal, *.png of its pages,
// for which a Chromium or Chrome has to be there ($CHROME, or on the PATH).
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../../src/cli/program.ts'
import { palette } from '../../src/cli/terminal/palette.ts'
import { readFlags } from '../read-flags.ts'
import { picturePage } from './page-picture.ts'
import { Screen } from './screen.ts'

readFlags('npm run screenshots', {})
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

/** `words`: a command that writes a page, to which the name of its file is added. */
async function savePage(name: string, cwd: string, words: string[], height: number): Promise<void> {
  const page = join(folder, name.replace('.png', '.html'))
  await shown(cwd, [...words, '--html', page])
  const picture = fileURLToPath(new URL(name, IMAGES))
  await picturePage(page, picture, { width: 1320, height })
  console.log(`docs/images/${name}: ${statSync(picture).size} bytes`)
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
  await savePage('report.png', repo, ['report'], 1100)
  const plan = fileURLToPath(new URL('../../examples/demo/tea-shop.yaml', import.meta.url))
  await savePage('plan.png', repo, ['plan', 'show', plan], 900)
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
