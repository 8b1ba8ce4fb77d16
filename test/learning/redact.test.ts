import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redact } from '../../src/learning/redact.ts'
import { processorMs } from '../rig/processor-time.ts'

/** Put together here so that no scanner takes them for keys that leaked. */
const j = (...parts: string[]) => parts.join('')
const SECRETS: [what: string, secret: string, around: (secret: string) => string][] = [
  ['a key of a provider', j('sk-', 'ant-api03-', 'Ab3dE5gH7jK9mN1pQ3sT5vW7'), (s) => `export KEY and use ${s} now`],
  ['a project key', j('sk-', 'proj-', 'abcDEF123456ghiJKL789'), (s) => `curl -H x ${s}`],
  ['a token of a code host', j('gh', 'p_', '16C7e42F292c6912E7710c838347Ae178B4a'), (s) => `git clone with ${s}`],
  ['a fine-grained token', j('github', '_pat_', '11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz'), (s) => s],
  ['a cloud key', j('AKIA', 'IOSFODNN7EXAMPLE'), (s) => `aws configure ${s}`],
  ['a key of a search company', j('AIza', 'SyA1234567890abcdefghijklmnopqrstuv'), (s) => `key ${s}`],
  ['a chat token', j('xox', 'b-', '123456789012-abcdefABCDEF'), (s) => s],
  ['a registry token', j('npm', '_', 'abcdefghijklmnopqrstuvwxyz0123456789'), (s) => `//registry/:${s}`],
  ['a bearer token', 'abcDEF123.ghi-JKL~456', (s) => `Authorization: Bearer ${s}`],
  [
    'a web token',
    j('eyJ', 'hbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0In0', '.dBjftJeZ4CVPmB92K27u'),
    (s) => `it sent ${s}`,
  ],
  ['a password', 'hunter2!', (s) => `password=${s}`],
  ['a password in JSON', 'correct horse', (s) => `{"db_password": "${s}"}`],
  ['a secret of an environment', 'a1b2c3', (s) => `STRIPE_SECRET_KEY=${s} npm test`],
  ['a password in an address', 'pa55w0rd', (s) => `postgres://admin:${s}@db.internal:5432/app`],
  ['a private key', 'MIIEpAIBAAKCAQEA', (s) => `-----BEGIN RSA PRIVATE KEY-----\n${s}\n-----END RSA PRIVATE KEY-----`],
  ['a private key that was cut', 'MIIEpAIBAAKCAQEA', (s) => `-----BEGIN PRIVATE KEY-----\n${s}`],
  ['a password without a user', 'pa55', (s) => `redis://:${s}@cache.internal:6379/0`],
  ['a password with an @', 'p@55', (s) => `amqp://me:${s}@queue.internal`],
  ['a token in an address', j('abcdef', 'ghijkl'), (s) => `git clone https://${s}@host.example/a/b.git`],
  ['a password by a flag', 'hunter', (s) => `login --password ${s} --verbose`],
  ['a password by a flag, in quotes', 'correct horse', (s) => `login --db-password "${s}"`],
  ['a token by a flag', 'abc', (s) => `deploy --token=${s}`],
  ['a key by a flag', 'abc', (s) => `\`deploy --api-key ${s}\` checks the work`],
  ['a user with a password', 'hunter', (s) => `curl -u admin:${s} https://host.example`],
  ['a user with a password, in quotes', 'hunter', (s) => `curl --user 'admin:${s}' https://host.example`],
  ['a password of mysql', 'hunter', (s) => `mysql -h db -u root -p${s} shop`],
  ['a password of mysqldump', 'hunter', (s) => `mysqldump -p${s} shop`],
  ['a password of ssh', 'hunter', (s) => `sshpass -p ${s} ssh host`],
  ['a variable that ends with PASS', 'hunter', (s) => `DB_PASS=${s} npm test`],
  ['a name that ends with Pass', 'hunter', (s) => `dbPass: ${s}`],
  ['a variable that ends with pass', 'hunter', (s) => `SSHPASS=${s} sshpass -e ssh host`],
  ['an address without a scheme', 'hunter', (s) => `MYSQL_DSN=me:${s}@tcp(db:3306)/app go test`],
  ['a pwd', 'hunter', (s) => `Server=db;Uid=me;pwd=${s};`],
  ['a key in hex', j('0123456789abcdef'.repeat(4)), (s) => `the signing key is ${s}`],
  ['a secret in hex', j('0123456789abcdef'.repeat(4)), (s) => `SESSION_SECRET ${s}`],
  ['a mail key', j('SG', '.', 'abcdefghijklmnop', '.', 'qrstuvwxyzabcdefghijkl'), (s) => `send with ${s}`],
  ['a secret of a cloud', j('wJalrXUtnFEMI', '/K7MDENG/', 'bPxRfiCYEXAMPLEKEY'), (s) => `it is ${s} now`],
  ['a header', 'abc', (s) => `curl -H x-api-key ${s}`],
  ['a header with a colon', 'abc', (s) => `curl -H "X-Api-Key: ${s}"`],
  ['a token of a file of settings', 'abcdef', (s) => `auth_token: ${s}`],
  ['a password that is partly hidden', '!rest', (s) => `password=${j('sk-', 'abcdefghijklmnop')}${s}`],
  ['a password after an ordinary name', 'hunter', (s) => `tokens: https://host.example?password=${s}`],
  ['something random', 'q7Zx2Lm9Vb4Kd8Rt1Yw6Pn3C', (s) => `the id ${s} is needed`],
]

for (const [what, secret, around] of SECRETS)
  test(`${what} does not stay`, () => {
    const clean = redact(around(secret))
    assert.ok(!clean.includes(secret), clean)
    assert.match(clean, /\[secret\]/)
    assert.equal(redact(clean), clean)
  })

test('values that are known to be secret do not stay, whatever they look like', () => {
  assert.equal(redact('say butterfly to it', ['butterfly', '', 'it']), 'say [secret] to it')
})

const HARMLESS = [
  'Run `npm run build -- --watch` after a change of src/components/very/deep/folder-name/index.tsx.',
  'Changes of packages/server-rendering/src/internal/router.ts often go with changes of docs/server-rendering.md.',
  'It landed as 4b825dc642cb6eb9a060e54bf8d69288fbee4904.',
  'TypeError: cannot read properties of undefined (reading "subscriptionIdentifierProvider")',
  'SyntaxError: expected token: string',
  'error: author: cannot be empty',
  'Unexpected token: eof',
  'Set max_tokens=4096, auth=true and `token === undefined` fails.',
  'src/auth/token.ts:12:5 - error TS2304: Cannot find name x.',
  '--- PASS: TestThings (0.00s)',
  'docker run -u 1000:1000 needs basic authentication and token generation.',
  'git clone ssh://git@host.example/team/project.git, then open http://localhost:3000/users/@me',
  'Call deploy --token $DEPLOY_TOKEN or --password <password>.',
  'Merge 4b825dc642cb6eb9a060e54bf8d69288fbee49044b825dc642cb6eb9a060e54b first.',
  'src/components/ShoppingCart/v2/ItemRow/UseCartItems is the one.',
  'It ran with PWD=/home/me/shop, BYPASS_CACHE=1, PASSENGER_APP_ENV=test and path=src/a.ts.',
  'The tokenizer is slow, and the author of authentication knows why.',
]

for (const text of HARMLESS) test(`stays: ${text.slice(0, 40)}`, () => assert.equal(redact(text), text))

test('texts made to be slow are not: twenty times the length takes far less than four hundred times as long', () => {
  for (const part of [
    'a',
    'password',
    'a://b:c',
    '-----BEGIN ',
    'sk-',
    'token = ',
    'a-',
    'tokens:',
    'mysql ',
    'key ',
    '--a-token ',
    'a:b@',
    'x-',
    '-----BEGIN PRIVATE KEY-----',
    '"token":"',
  ]) {
    const time = (length: number) => {
      const text = part.repeat(Math.ceil(length / part.length))
      const started = processorMs()
      redact(text)
      return processorMs() - started
    }
    time(5_000)
    const short = Math.max(time(5_000), 1)
    assert.ok(time(100_000) < 200 * short, part)
  }
})
