import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentEnvironment } from '../../src/process/environment.ts'

const parent = {
  PATH: '/bin',
  HOME: '/home/u',
  LC_TIME: 'C',
  XDG_CACHE_HOME: '/c',
  https_proxy: 'http://p',
  HTTPS_PROXY: 'http://q',
  SSH_AUTH_SOCK: '/s',
  AWS_SECRET_ACCESS_KEY: 'secret',
  ANTHROPIC_API_KEY: 'secret',
  npm_config_registry: 'r',
  NODE_OPTIONS: '--inspect',
  GIT_DIR: '/other',
  GIT_INDEX_FILE: '/other',
  ESPALIER_TOKEN: 'of the attempt this engine runs in',
  MY_ONE: '1',
  MY_TWO: '2',
}
const basic = {
  PATH: '/bin',
  HOME: '/home/u',
  LC_TIME: 'C',
  XDG_CACHE_HOME: '/c',
  https_proxy: 'http://p',
  HTTPS_PROXY: 'http://q',
  SSH_AUTH_SOCK: '/s',
}

test('agents get what they need and no secrets', () => {
  assert.deepEqual(agentEnvironment(parent, []), basic)
})

test('the user allows more by name or glob', () => {
  assert.deepEqual(agentEnvironment(parent, ['ANTHROPIC_API_KEY']), { ...basic, ANTHROPIC_API_KEY: 'secret' })
  assert.deepEqual(agentEnvironment(parent, ['MY_*', 'ABSENT']), { ...basic, MY_ONE: '1', MY_TWO: '2' })
})

test('git variables and tokens of the engine never get through, whatever is allowed', () => {
  const environment = agentEnvironment(parent, ['*', 'GIT_DIR', 'GIT_*', 'ESPALIER_*'])
  assert.equal(environment.AWS_SECRET_ACCESS_KEY, 'secret')
  assert.deepEqual(
    Object.keys(environment).filter((name) => /^(GIT|ESPALIER)_/.test(name)),
    [],
  )
})

test('what the engine adds overrules the rest', () => {
  assert.deepEqual(agentEnvironment({ HOME: '/h' }, [], { HOME: '/x', ESPALIER_RUN: 'r', GIT_AUTHOR_NAME: 'n' }), {
    HOME: '/x',
    ESPALIER_RUN: 'r',
    GIT_AUTHOR_NAME: 'n',
  })
})
