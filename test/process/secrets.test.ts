import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { keptText, secretValues } from '../../src/process/secrets.ts'

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
  assert.equal(keptText('it used plain-looking-value and plain-looking.', secrets), 'it used [secret] and [secret].')
  assert.equal(keptText('short qwerty-layout', secrets), 'short qwerty-layout')
})

test('any key that is kept in a variable is secret, but not the place of one', () => {
  assert.deepEqual(secretValues({ STRIPE_KEY: 'hunter22', DEPLOY_KEY_PROD: 'hunter33' }), ['hunter22', 'hunter33'])
  assert.deepEqual(secretValues({ SSH_KEY_PATH: '/home/me/.ssh/id', GPG_KEY_FILE: '/home/me/key' }), [])
})

const ADDRESSES: { name: string; value: string; secrets: string[] }[] = [
  { name: 'DATABASE_URL', value: 'postgres://me:hunter22@db/app', secrets: ['me:hunter22', 'hunter22'] },
  { name: 'REDIS_URL', value: 'redis://:hunter22@cache:6379/0', secrets: [':hunter22', 'hunter22'] },
  { name: 'with an @', value: 'amqp://me:p@55w0rds@queue', secrets: ['me:p@55w0rds', 'p@55w0rds'] },
  { name: 'escaped', value: 'amqp://me:hunt%4022@queue', secrets: ['me:hunt%4022', 'hunt%4022'] },
  {
    name: 'escaped, long enough',
    value: 'x://me:hunt%40er22@q',
    secrets: ['me:hunt%40er22', 'hunt%40er22', 'hunt@er22'],
  },
  { name: 'short', value: 'postgres://admin:pw@db/app', secrets: ['admin:pw'] },
  { name: 'an ordinary word', value: 'postgres://postgres:postgres@db/app', secrets: ['postgres:postgres'] },
  { name: 'HTTPS_PROXY', value: 'http://me:hunter22@proxy:3128', secrets: ['me:hunter22', 'hunter22'] },
  { name: 'SENTRY', value: 'https://0123456789ab@host.example/1', secrets: ['0123456789ab'] },
  { name: 'of Go', value: 'me:hunter22@tcp(db:3306)/app', secrets: ['me:hunter22', 'hunter22'] },
  { name: 'CONNECTION', value: 'Server=db;Uid=me;Pwd=hunter22;', secrets: ['hunter22'] },
  { name: 'of libpq', value: "host=db user=me password='hunter22'", secrets: ['hunter22'] },
  { name: 'JDBC', value: 'jdbc:mysql://db/app?user=me&password=hunter22', secrets: ['hunter22'] },
  { name: 'no login', value: 'postgres://db:5432/app', secrets: [] },
  { name: 'of a repository', value: 'ssh://git@host.example/team/project.git', secrets: [] },
  { name: 'a package', value: 'npm:typescript@5.9.2', secrets: [] },
  { name: 'PWD', value: '/home/somebody/shop', secrets: [] },
]

suite('what is secret of an address', () => {
  for (const { name, value, secrets } of ADDRESSES)
    test(`${name}: ${value}`, () => assert.deepEqual(secretValues({ [name.replaceAll(/\W/g, '_')]: value }), secrets))
})

test('an address can still be read when its login is gone', () => {
  const secrets = secretValues({ DATABASE_URL: 'postgres://me:hunter22@db/app' })
  assert.equal(
    keptText('connect to postgres://me:hunter22@db/app with hunter22', secrets),
    'connect to postgres://[secret]@db/app with [secret]',
  )
})
