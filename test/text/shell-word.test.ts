import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { shellWord } from '../../src/text/shell-word.ts'

test('a word is in quotes only where it needs them', () => {
  assert.equal(shellWord('espalier/run-1'), 'espalier/run-1')
  assert.equal(shellWord("a'; rm -rf /"), `'a'\\''; rm -rf /'`)
})

test('sh reads every word as it was', () => {
  const words = ['plain', '', 'a b', "it's", '$HOME `x` "y" \\', '*', '~', 'a\nb', '-n', 'k=v,w%', '{a,b}', '#x', '!']
  const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${words.map(shellWord).join(' ')}`], { encoding: 'utf8' })
  assert.deepEqual(printed.split('\0').slice(0, -1), words)
})
