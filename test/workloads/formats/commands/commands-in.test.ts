import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { commandsIn } from '../../../../src/workloads/formats/commands/commands-in.ts'
import { readMarkdown } from '../../../../src/workloads/formats/markdown/lines.ts'

const BLOCK = '```bash\nnpm test\n```\n'

describe('what the line below a command expects of it', () => {
  const cases: [below: string, verify: string[]][] = [
    ['Expected: PASS', ['npm test']],
    ['Expected: all previously failing tests pass', ['npm test']],
    ['Expected: no test fails', ['npm test']],
    ['Expected: FAIL', []],
    ['Expected: FAIL, it is not there yet', []],
    ['It should fail', []],
  ]
  for (const [below, verify] of cases)
    test(below, () => assert.deepEqual(commandsIn(readMarkdown(`${BLOCK}${below}\n`).lines).verify, verify))
})

test('a block that goes from folder to folder is one check', () => {
  const script = 'cd web\nnpm test\ncd ../api\nnpm test'
  const { verify, notRun } = commandsIn(readMarkdown(`\`\`\`bash\n${script}\n\`\`\`\n`).lines)
  assert.deepEqual({ verify, notRun }, { verify: [`set -e\n${script}`], notRun: [] })
})
