import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isSecretName } from '../../src/process/secrets.ts'

const SECRET = [
  ...['PASSWORD', 'DB_PASSWORD', 'PGPASSWORD', 'MYSQL_ROOT_PASSWORD', 'db_passwd', 'DATABASE_PASSWORD_PROD'],
  ...['PASS', 'DB_PASS', 'DBPASS', 'SSHPASS', 'SMTP_PASS', 'ftpPass', 'REDIS_PASS_2'],
  ...['MYSQL_PWD', 'DB_PWD', 'pwd', 'dbPwd', 'SA_PWD'],
  ...['GPG_PASSPHRASE', 'SIGNING_KEY_PASSPHRASE', 'passphrase'],
  ...['SENTRY_DSN', 'MYSQL_DSN', 'dsn'],
  ...['GITHUB_TOKEN', 'TOKEN', 'NPM_TOKEN_READ', 'authToken', 'GITHUB_PAT', 'AZURE_DEVOPS_EXT_PAT'],
  ...['SECRET', 'CLIENT_SECRET', 'SECRET_KEY_BASE', 'clientSecret', 'API_KEY', 'apiKey', 'AWS_SECRET_ACCESS_KEY'],
  ...['AWS_CREDENTIALS', 'REGISTRY_AUTH', 'AUTHORIZATION'],
]

const ORDINARY = [
  ...[
    'BYPASS',
    'BYPASS_CACHE',
    'SSH_ASKPASS',
    'COMPASS_VERSION',
    'SURPASS',
    'PASSENGER_APP_ENV',
    'PASSIVE',
    'PASSED',
    'PASSTHROUGH',
  ],
  ...['SECRETARY', 'MAX_TOKENS', 'TOKENIZER', 'AUTHOR', 'AUTHORITY', 'GIT_AUTHOR_NAME', 'XAUTHORITY'],
  ...['PATH', 'PATTERN', 'PATCH', 'KEYBOARD', 'PRIMARY_KEY', 'HTTP_WDS', 'APP_WDIR', 'HOME', 'USER'],
  ...['SSH_AUTH_SOCK', 'PGPASSFILE', 'DB_PASSWORD_FILE', 'TOKEN_URL', 'AUTH_DOMAIN', 'SECRETS_DIR'],
]

suite('a variable', () => {
  for (const name of SECRET) test(`${name} is secret`, () => assert.ok(isSecretName(name, '=', 'hunter22')))
  for (const name of ORDINARY) test(`${name} is not`, () => assert.ok(!isSecretName(name, '=', 'hunter22')))
})

test('where a shell works is no password', () => {
  for (const name of ['PWD', 'OLDPWD', 'INIT_PWD']) assert.ok(!isSecretName(name, '=', '/home/me/shop'), name)
  assert.ok(!isSecretName('PWD', '=', '"$HOME/shop"'))
  assert.ok(isSecretName('PWD', '=', 'hunter22'), 'of a database')
  assert.ok(isSecretName('MYSQL_PWD', '=', '/hunter22'))
})

test('a switch is no secret', () => {
  for (const value of ['true', 'false', '"none"']) assert.ok(!isSecretName('AUTH_TOKEN', '=', value), value)
})
