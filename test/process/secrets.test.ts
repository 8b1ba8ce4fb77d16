import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretValues, withoutSecrets } from '../../src/process/secrets.ts'

test('values of variables whose names say that they are secret do not stay', () => {
  const secrets = secretValues({
    ANTHROPIC_API_KEY: 'plain-looking-value',
    GITHUB_TOKEN: 'plain-looking',
    DB_PASSWORD: 'short',
    HOME: '/home/somebody',
    KEYBOARD: 'qwerty-layout',
    npm_config_secret: undefined,
  })
  assert.deepEqual(secrets, ['plain-looking-value', 'plain-looking'])
  assert.equal(
    withoutSecrets('it used plain-looking-value and plain-looking.', secrets),
    'it used [secret] and [secret].',
  )
  assert.equal(withoutSecrets('short qwerty-layout', secrets), 'short qwerty-layout')
})
