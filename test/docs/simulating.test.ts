// What docs/simulating.md shows is what the commands print.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runProgram } from '../../src/cli/program.ts'
import { palette } from '../../src/cli/terminal/palette.ts'
import { FakeTerminal } from '../cli/fake-terminal.ts'
import { temporaryFolder, write } from '../rig/repository.ts'
import { blocksOf } from './pages.ts'

const WIDTH = 100
const blocks = blocksOf('docs/simulating.md')
const [yaml] = blocks.filter(({ info }) => info === 'yaml')
const [shown, simulated] = blocks.filter(({ info }) => info === 'text').map(({ text }) => text.trimEnd())

for (const [command, page] of Object.entries({ show: shown, simulate: simulated }))
  test(`plan ${command}`, async () => {
    await using folder = await temporaryFolder()
    await write(folder.at('plan.yaml'), yaml?.text ?? '')
    const [out, err] = [new FakeTerminal(WIDTH), new FakeTerminal(WIDTH)]
    const plain = { outPalette: palette(false), errPalette: palette(false) }
    const { path } = folder
    const around = { out: out.output, err: err.output, env: {}, cwd: path, home: path, live: false, ...plain }
    const status = await runProgram(['node', 'espalier', 'plan', command, 'plan.yaml'], '1.2.3', around)
    assert.deepEqual([status, out.screen.join('\n').trimEnd()], [0, page])
  })
