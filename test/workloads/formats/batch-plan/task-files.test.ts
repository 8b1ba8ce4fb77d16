// The files that a task of a batch plan names.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { read, taskOf } from '../markdown-read.ts'

/** Three tasks of a batch, each with what stands below its heading. */
function three(first: string, second = '', third = ''): string {
  return `## Batch 1\n### Task 1.1\n${first}\n### Task 1.2\n${second}\n### Task 1.3\n${third}\n`
}

test('the file of a test is written, too', () => {
  const { claims } = taskOf(read(three('**File:** `src/a.ts`\n**Test:** `test/a.test.ts` (extend)')), 'task-1-1')
  assert.deepEqual(claims.write, ['src/a.ts', 'test/a.test.ts'])
})

describe('files that are only read', () => {
  const claims = (files: string) => taskOf(read(three(files)), 'task-1-1').claims
  const cases: [files: string, write: string[], reads?: string[]][] = [
    ['**Files:**\n- Read: src/a.ts', [], ['src/a.ts']],
    ['**Files:**\n- Reference: src/a.ts', [], ['src/a.ts']],
    ['**Files to read:** src/a.ts', [], ['src/a.ts']],
    ['**Reference files:** src/a.ts', [], ['src/a.ts']],
    // What is read and changed is written; other words are the agent's.
    ['**Files:**\n- Read/Modify: src/a.ts', ['src/a.ts']],
    ['**Files:**\n- Review and fix: src/a.ts', ['src/a.ts']],
    ['**Files to read and modify:** src/a.ts', ['src/a.ts']],
    ['**Files:**\n- Modify: src/Form.tsx (add a read-only mode)', ['src/Form.tsx']],
    ['**Files:**\n- none (no\n- `src/a.ts`,', ['src/a.ts']],
  ]
  for (const [files, write, reads = []] of cases)
    test(files, () => {
      const { write: written, read: onlyRead } = claims(files)
      assert.deepEqual([written, onlyRead], [write, reads])
    })
})
