// Commands that are accepted as checks are added to the settings; nothing else in the file changes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withChecks } from '../../../src/workloads/settings/add-checks-to-settings-file.ts'

const ADDED = ['npm ci', 'a']

describe('the list grows, every other byte stays', () => {
  const cases: [before: string, after: string][] = [
    ['', 'checks:\n  - "npm ci"\n  - "a"\n'],
    ['# only\n', '# only\nchecks:\n  - "npm ci"\n  - "a"\n'],
    ['agent: claude   # mine', 'agent: claude   # mine\nchecks:\n  - "npm ci"\n  - "a"\n'],
    ['checks: [a, "b"] # why\nretries:  2\n', 'checks: [a, "b", "npm ci"] # why\nretries:  2\n'],
    ['checks: [a, ]\n', 'checks: [a, "npm ci", ]\n'],
    ['checks: [\n  a, # c\n  b\n]\n', 'checks: [\n  a, # c\n  b, "npm ci"\n]\n'],
    ['checks: []\nx: 1\n', 'checks: ["npm ci", "a"]\nx: 1\n'],
    ['checks:\n- a # why\n- b\nx: 1\n', 'checks:\n- a # why\n- b\n- "npm ci"\nx: 1\n'],
    ['x: 1\nchecks:\n    - a\n\n# after\nz: 1', 'x: 1\nchecks:\n    - a\n    - "npm ci"\n\n# after\nz: 1'],
    ['checks:\n  - |\n    a\n    b\nz: 1\n', 'checks:\n  - |\n    a\n    b\n  - "npm ci"\n  - "a"\nz: 1\n'],
    ['checks:\n  - a', 'checks:\n  - a\n  - "npm ci"\n'],
    ['checks:\nz: 1\n', 'checks: ["npm ci", "a"]\nz: 1\n'],
    ['checks:\r\n  - a\r\nb: 1\r\n', 'checks:\r\n  - a\r\n  - "npm ci"\nb: 1\r\n'],
    ['checks: [a, npm ci]\n', 'checks: [a, npm ci]\n'],
  ]
  for (const [before, after] of cases)
    test(JSON.stringify(before), () => assert.equal(withChecks(before, ADDED), after))
})

test('where there is no simple place for them, nothing is written', () => {
  for (const text of ['{"agent": "x"}', '- a\n', 'a: [', 'a: 1\n...\n', 'a: 1\n---\nb: 1\n', 'checks: {a: 1}\n'])
    assert.equal(withChecks(text, ADDED), null, text)
})
