import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { REFERENCE_FOLDER, referenceFiles } from '../../scripts/reference.ts'

for (const [name, text] of Object.entries(await referenceFiles())) {
  test(`docs/reference/${name} says what the program does (else: npm run reference)`, () => {
    assert.equal(readFileSync(new URL(name, REFERENCE_FOLDER), 'utf8'), text)
  })
}
