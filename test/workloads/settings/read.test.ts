import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatProblem } from '../../../src/problem.ts'
import { readSettings, SETTING_VARIABLES, settingsFromEnv } from '../../../src/workloads/settings/read.ts'

test('a settings file says in its own words what the program calls differently', () => {
  const result = readSettings(
    `
$schema: ./config.schema.json
stateDir: /var/espalier
maxConcurrency: 8
maxPerEpic: 2
schedule: waves
strict: true
agent: command
command: my-agent --fast
retries: 0
timeout: 1h
stallAfter: 10m
onStall: retry
claims: extend
backoff: {initial: 500ms, max: 10}
grace: 2s
keep: [node_modules]
setup: npm ci
envAllow: [NPM_TOKEN, AWS_*]
ports: {first: 30000}
logs: {maxBytes: 1048576}
history: {runs: 5, days: null}
landing: {conflict: fail}
`,
    'config.yaml',
  )
  assert.deepEqual(result, {
    ok: true,
    value: {
      stateDir: '/var/espalier',
      maxConcurrency: 8,
      maxPerEpic: 2,
      schedule: 'waves',
      strict: true,
      agent: 'command',
      command: 'my-agent --fast',
      retries: 0,
      timeoutMs: 3_600_000,
      stallAfterMs: 600_000,
      onStall: 'retry',
      claims: 'extend',
      backoff: { initialMs: 500, maxMs: 10_000 },
      graceMs: 2_000,
      keep: ['node_modules'],
      setup: ['npm ci'],
      envAllow: ['NPM_TOKEN', 'AWS_*'],
      ports: { first: 30_000 },
      logs: { maxBytes: 1_048_576 },
      history: { runs: 5, days: null },
      landing: { conflict: 'fail' },
    },
  })
})

test('stalls are turned off by `never` or by nought', () => {
  for (const off of ['never', '0', '0s'])
    assert.deepEqual(readSettings(`stallAfter: ${off}`, 'config.yaml'), { ok: true, value: { stallAfterMs: 0 } })
  const result = readSettings('stallAfter: soon\nonStall: kill\n', 'config.yaml')
  assert.ok(!result.ok)
  assert.deepEqual(result.problems.map(formatProblem), [
    'config.yaml:1:13: `stallAfter` must be a duration such as `90s` or `5m` (a bare number is seconds), or `never`',
    'config.yaml:2:10: `onStall` must be one of report, retry, not `kill`',
  ])
})

test('a settings file that says nothing is fine', () => {
  for (const text of ['', '\n', '# maxConcurrency: 3\n\n  # strict: true\n'])
    assert.deepEqual(readSettings(text, 'config.yaml'), { ok: true, value: {} })
})

test('all that is wrong with a settings file is said at once', () => {
  const text = 'maxConcurency: 4\nbackoff: {initial: soon, mx: 1}\nports: 3\nkeep: [../x]\nstrict: yes\n'
  const result = readSettings(text, 'config.yaml')
  assert.ok(!result.ok)
  assert.deepEqual(result.problems.map(formatProblem), [
    'config.yaml:1:1: unknown field `maxConcurency`; did you mean `maxConcurrency`?',
    'config.yaml:2:20: `initial` must be a duration such as `90s`, `30m` or `2h` (a bare number is seconds)',
    'config.yaml:2:26: unknown field `mx`; did you mean `max`?',
    'config.yaml:3:8: `ports` must be a mapping, not the number 3',
    'config.yaml:4:8: `keep[0]: ../x` may lead out of the repository: write it without `..`',
    'config.yaml:5:9: `strict` must be true or false, not the string `yes`',
  ])
})

test('a settings file that is a list or too big is refused', () => {
  const said = (text: string): string[] => {
    const result = readSettings(text, 'config.yaml')
    return result.ok ? [] : result.problems.map(formatProblem)
  }
  assert.deepEqual(said('- a\n'), ['config.yaml:1:1: the file must be a mapping, not a list'])
  assert.deepEqual(said('x'.repeat(2 << 20)), ['config.yaml: 2.0 MB is more than a settings file may have (1 MB)'])
})

test('variables of the environment are settings, each checked', () => {
  const result = settingsFromEnv({
    ESPALIER_MAX_CONCURRENCY: '12',
    ESPALIER_MAX_PER_EPIC: ' 3 ',
    ESPALIER_STRICT: 'no',
    ESPALIER_TIMEOUT: '90',
    ESPALIER_STALL_AFTER: 'never',
    ESPALIER_ON_STALL: 'report',
    ESPALIER_CLAIMS: 'enforce',
    ESPALIER_BACKOFF_INITIAL: '1s',
    ESPALIER_BACKOFF_MAX: '1m',
    ESPALIER_KEEP: 'node_modules, .cache/**,',
    ESPALIER_SETUP: 'npm ci',
    ESPALIER_LANDING_VERIFY: 'npm test',
    ESPALIER_LANDING_TIMEOUT: '5m',
    ESPALIER_LANDING_ALLGREEN: 'yes',
    ESPALIER_LANDING_RERUNS: '0',
    ESPALIER_AGENT: '',
  })
  assert.deepEqual(result, {
    ok: true,
    value: {
      maxConcurrency: 12,
      maxPerEpic: 3,
      strict: false,
      timeoutMs: 90_000,
      stallAfterMs: 0,
      onStall: 'report',
      claims: 'enforce',
      backoff: { initialMs: 1_000, maxMs: 60_000 },
      keep: ['node_modules', '.cache/**'],
      setup: ['npm ci'],
      landing: { verify: ['npm test'], timeoutMs: 300_000, allgreen: true, reruns: 0 },
    },
  })
})

test('an empty command is refused wherever it stands', () => {
  for (const empty of ['', '  ']) {
    const fromEnv = settingsFromEnv({ ESPALIER_COMMAND: empty })
    assert.ok(!fromEnv.ok)
    assert.deepEqual(fromEnv.problems.map(formatProblem), ['ESPALIER_COMMAND is empty'])
    const fromFile = readSettings(`command: '${empty}'`, 'config.yaml')
    assert.ok(!fromFile.ok)
    assert.match(fromFile.problems.map(formatProblem).join(), /^config\.yaml:1:\d+: .*command.* is empty$/)
  }
})

test('a wrong variable is named', () => {
  const result = settingsFromEnv({ ESPALIER_RETRIES: 'x', ESPALIER_SCHEDULE: 'wave', ESPALIER_STRICT: 'maybe' })
  assert.ok(!result.ok)
  assert.deepEqual(result.problems.map(formatProblem), [
    'ESPALIER_SCHEDULE: `schedule` must be one of eager, waves, not `wave`; did you mean `waves`?',
    'ESPALIER_STRICT: `strict` must be true or false, not the string `maybe`',
    'ESPALIER_RETRIES: `retries` must be a number, not the string `x`',
  ])
})

test('what an attempt is told about itself is never a setting', () => {
  const names = ['RUN', 'TASK', 'ATTEMPT', 'WORKTREE', 'LOG_DIR', 'TOKEN', 'PORT', 'PORT_FIRST', 'PORTS']
  assert.deepEqual(settingsFromEnv(Object.fromEntries(names.map((name) => [`ESPALIER_${name}`, '7']))), {
    ok: true,
    value: {},
  })
  assert.ok([...SETTING_VARIABLES.keys()].every((name) => !name.startsWith('ESPALIER_PORT')))
})

test('an ACP agent has a name that a plan can use, and a program', () => {
  const acp = (text: string) => readSettings(`agents:\n  acp:\n    ${text}\n`, 'config.yaml')
  const goose = { program: 'goose', args: ['acp'] }
  assert.deepEqual(acp('goose: { program: goose, args: [acp] }'), { ok: true, value: { agents: { acp: { goose } } } })
  for (const [wrong, message] of [
    ['Goose: { program: goose }', 'config.yaml:3:5: must be a name such as `goose`: a-z, 0-9 and -'],
    ['goose: { args: [acp] }', 'config.yaml:3:12: `program` is missing'],
  ] as const) {
    const read = acp(wrong)
    assert.ok(!read.ok)
    assert.deepEqual(read.problems.map(formatProblem), [message])
  }
})
