import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wrappedHelp } from '../../../src/cli/terminal/wrapped-help.ts'

const HELP = `Usage: x [options]

Without a name the newest is meant, and what is said of it goes
on in the next line. This one is short.
Ctrl-C ends it.

Examples:
  x run plan.yaml        runs the plan that is in this file; or
                         another one
  x stop`

test('help is broken between words, and explanations stay below themselves', () => {
  assert.equal(
    wrappedHelp(HELP, 50),
    `Usage: x [options]

Without a name the newest is meant, and what is
said of it goes on in the next line. This one is
short.
Ctrl-C ends it.

Examples:
  x run plan.yaml        runs the plan that is in
                         this file; or another one
  x stop`,
  )
})

test('where there is little room an explanation stands below what it explains', () => {
  assert.match(
    wrappedHelp(HELP, 30),
    /\n {2}x run plan\.yaml\n {6}runs the plan that is in\n {6}this file; or another\n {6}one\n/,
  )
})

test('what fits stays as it was written', () => assert.equal(wrappedHelp(HELP, 70), HELP))
