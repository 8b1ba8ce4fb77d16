// npm run lint: style and format, types, the order of the folders, and the weight of the source. All of them run, then the summary.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { installDashboard } from './dashboard/install.ts'
import { checkLayers, formatViolation } from './layers.ts'
import { formatWeight, measureWeight, overBudget } from './weight.ts'

type Finding = { name: string; passed: boolean; output: string }

const root = fileURLToPath(new URL('..', import.meta.url))

const findings = await Promise.all([
  tool('style (biome)', 'biome', ['check', '--colors=off', '.']),
  tool('types (tsc)', 'tsc', ['-p', '.', '--pretty', 'false']),
  tool('types of the package (tsc)', 'tsc', [
    '-p',
    'tsconfig.build.json',
    '--noEmit',
    '--emitDeclarationOnly',
    'false',
    '--pretty',
    'false',
  ]),
  dashboardTypes(),
  layers(),
  weight(),
])
for (const { passed, output } of findings) if (!passed) process.stdout.write(`${output.trimEnd()}\n\n`)
process.stdout.write(`${formatWeight(measureWeight(root))}\n`)
for (const { name, passed } of findings) process.stdout.write(`${passed ? 'ok  ' : 'FAIL'}  ${name}\n`)
process.exitCode = findings.every((finding) => finding.passed) ? 0 : 1

function tool(name: string, command: string, args: string[]): Promise<Finding> {
  return new Promise((resolve) => {
    const options = { cwd: root, maxBuffer: 64 << 20 }
    execFile(`${root}node_modules/.bin/${command}`, args, options, (error, stdout, stderr) => {
      resolve({ name, passed: error === null, output: stdout + stderr + (error && !stdout ? error.message : '') })
    })
  })
}

function dashboardTypes(): Promise<Finding> {
  const name = 'types of the dashboard (tsc)'
  if (!installDashboard())
    return Promise.resolve({ name, passed: false, output: 'its packages could not be installed' })
  return tool(name, 'tsc', ['-p', 'dashboard', '--pretty', 'false'])
}

function layers(): Finding {
  const violations = checkLayers(root)
  return { name: 'layers', passed: violations.length === 0, output: violations.map(formatViolation).join('\n') }
}

function weight(): Finding {
  const over = overBudget(measureWeight(root))
  return { name: 'weight', passed: over.length === 0, output: over.join('\n') }
}
