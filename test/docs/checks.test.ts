// What the page about other formats says of checks holds for the commands it names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOf } from '../../src/workloads/formats/checks/commands-in.ts'
import { coded, tableOf } from './pages.ts'

function commandsOf(column: string): string[] {
  const rows = tableOf('docs/formats.md', 'Which commands are checks', column)
  // Of an expected failure the command alone would be run.
  return rows.filter(([what]) => !what?.startsWith('what is expected')).flatMap(([, such = '']) => coded(such))
}

test('what is said to be run is run, and what is said not to be is not', () => {
  const [run, told] = [commandsOf('is run'), commandsOf('is not run')]
  assert.ok(run.length > 10 && told.length > 20)
  for (const command of run) assert.ok('run' in checkOf(command.replaceAll('\\|', '|'), []), command)
  for (const command of told) assert.ok('notRun' in checkOf(command, []), command)
})
