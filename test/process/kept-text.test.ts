import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptText } from '../../src/process/secrets.ts'

test('what is kept has no secret, also where it is printed with a colour or a joiner in its middle', () => {
  const secrets = ['hunter2hunter2', 'line one\r\nline two']
  assert.equal(keptText('it is hunter2hunter2\r\n', secrets), 'it is [secret]\n')
  assert.equal(keptText('it is hunter2\u001b[1mhunter2\u001b[0m!', secrets), 'it is [secret]!')
  assert.equal(keptText('it is hunter2\u200bhunter2', secrets), 'it is [secret]')
  assert.equal(keptText('it is hunter2\u202ehunter2', secrets), 'it is [secret]')
  assert.equal(keptText('-line one\r\nline two-', secrets), '-[secret]-')
})
