import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileTimes, junitCounts, readJunit } from '../../../src/workloads/suite/junit.ts'

const NODE = `<?xml version="1.0" encoding="utf-8"?>
<testsuites>
  <testcase name="adds" time="0.500" classname="test" file="/w/slots/1/test/a.test.js"/>
  <testcase name="fails" time="1.5" classname="test" file="/w/slots/1/test/b.test.js" failure="boom">
    <failure type="testCodeFailure" message="boom &amp; &lt;more&gt;">at line 1</failure>
  </testcase>
  <testcase name="left" time="0" classname="test" file="/w/slots/1/test/b.test.js"><skipped/></testcase>
</testsuites>`

const VITEST = `<testsuites><testsuite name="src/x.test.ts" tests="1"><testcase classname="src/x.test.ts" name="n" time="2"/></testsuite></testsuites>`
const PYTEST = `<testsuites><testsuite name="pytest"><testcase classname="tests.test_a.TestB" name="x" time="0.25"/><testcase classname="tests.test_a" name="y" time="0.25"/><testcase classname="tests.other" name="z" time="9"><error message="e"/></testcase></testsuite></testsuites>`

function cases(text: string) {
  const read = readJunit(text)
  assert.ok(read)
  return read.cases
}

test('counts, outcomes and messages of cases', () => {
  assert.deepEqual(junitCounts(cases(NODE)), { tests: 3, failures: 1, errors: 0, skipped: 1 })
  assert.equal(cases(NODE)[1]?.message, 'boom & <more>at line 1')
  assert.deepEqual(junitCounts(cases(PYTEST)), { tests: 3, failures: 0, errors: 1, skipped: 0 })
})

test('the time of each file, as node, vitest and pytest name it', () => {
  const files = ['test/a.test.js', 'test/b.test.js', 'src/x.test.ts', 'tests/test_a.py']
  assert.deepEqual(
    [...fileTimes(cases(NODE), files)],
    [
      ['test/a.test.js', 500],
      ['test/b.test.js', 1500],
    ],
  )
  assert.deepEqual([...fileTimes(cases(VITEST), files)], [['src/x.test.ts', 2000]])
  assert.deepEqual([...fileTimes(cases(PYTEST), files)], [['tests/test_a.py', 500]])
})

test('half a file counts as far as it goes; what is no JUnit is none; entities are not expanded', () => {
  const half = NODE.slice(0, NODE.indexOf('at line 1'))
  const read = readJunit(half)
  assert.deepEqual([read?.cases.length, read?.cutShort], [1, true])
  assert.equal(readJunit('<html><body/></html>'), null)
  assert.equal(readJunit(''), null)
  assert.equal(readJunit('not xml at all'), null)
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>`
  assert.ok(!JSON.stringify(readJunit(bomb)).includes('aaaa'))
})
