import assert from 'node:assert/strict'
import { test } from 'node:test'
import { troubleOf } from '../../../src/cli/live/run-trouble.ts'

const fine = { run: 'shop-1', branch: 'espalier/shop-1', stuck: null, takenOver: false, publishTrouble: null }

test('a run that ended as runs do is no trouble', () => assert.equal(troubleOf(fine, ''), null))

test('an engine that could not go on names the cause and how to go on', () => {
  const stuck = 'schema could not land: git commit-tree failed: No space left on device'
  assert.equal(
    troubleOf({ ...fine, stuck }, ' --repo ../shop'),
    `run shop-1 was stopped by an environment error: ${stuck}\nfix that, then \`espalier resume shop-1 --repo ../shop\``,
  )
})

test('an engine that was replaced says who has the run now, and how to follow it', () =>
  assert.equal(
    troubleOf({ ...fine, stuck: 'another engine has taken over run shop-1', takenOver: true }, ' --repo ../shop'),
    'run shop-1 stopped: another engine has taken over run shop-1\n`espalier status --watch shop-1 --repo ../shop` follows it',
  ))

test('a branch that could not be moved is named', () =>
  assert.equal(
    troubleOf({ ...fine, publishTrouble: 'it is checked out' }, ''),
    'espalier/shop-1 could not be moved: it is checked out',
  ))
