import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { helpWidth, width } from '../../src/cli/surroundings.ts'

const outputs: { name: string; more: { isTTY?: boolean; columns?: number }; wide: number; help: number }[] = [
  { name: 'a terminal', more: { isTTY: true, columns: 132 }, wide: 132, help: 120 },
  { name: 'a terminal that does not say', more: { isTTY: true, columns: 0 }, wide: 80, help: 80 },
  { name: 'a pipe, where nothing is cut', more: {}, wide: Number.POSITIVE_INFINITY, help: 80 },
]
for (const { name, more, wide, help } of outputs) {
  test(`the width of ${name}`, () => {
    const output = Object.assign(new PassThrough(), more)
    assert.deepEqual([width(output), helpWidth(output)], [wide, help])
  })
}
