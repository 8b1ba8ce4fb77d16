import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PROGRAMS, type Program, packageFile, programCommand, sourceFile } from '../../src/files/package-file.ts'

test('every program of the package is found, and so is what is read as it is', () => {
  for (const name of Object.keys(PROGRAMS) as Program[]) {
    const [node, ...rest] = programCommand(name)
    assert.equal(node, process.execPath)
    assert.ok(existsSync(rest.at(-1) ?? ''), rest.join(' '))
  }
  assert.match(readFileSync(sourceFile('prompts/templates/task.md'), 'utf8'), /\{\{prompt\}\}/)
  assert.equal(JSON.parse(readFileSync(packageFile('package.json'), 'utf8')).name, 'espalier')
})
