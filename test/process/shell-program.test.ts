import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shellProgram } from '../../src/process/program.ts'

const cases: [command: string, program: string | null][] = [
  ['my-agent --flag', 'my-agent'],
  ['  python3.12 agent.py', 'python3.12'],
  ['g++ a.cpp', 'g++'],
  ['cat > a.txt; my-agent', 'cat'],
  ['./agent.sh', null],
  ['tools/agent', null],
  ['~/bin/agent', null],
  ['TOKEN=x my-agent', null],
  ['"my agent" --flag', null],
  ['$AGENT --flag', null],
  ['my-agent;', null],
  ['(my-agent)', null],
  ['{ my-agent; }', null],
  ['[ -e x ]', null],
  ['. ./env.sh', null],
  ['exec my-agent', null],
  ['cd tools && ./agent', null],
  ['if true; then my-agent; fi', null],
  ['', null],
]
for (const [command, program] of cases)
  test(`${command || 'nothing'}: ${program}`, () => assert.equal(shellProgram(command), program))
