import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { test } from 'node:test'
import { transfer } from '../../../src/git/engine/pack.ts'
import { GitFailure } from '../../../src/git/run/git.ts'
import { makeRepository } from '../../rig/repository.ts'

test('of two sides that fail, the one that was the cause is told', async () => {
  await using repository = await makeRepository()
  await repository.write('big', randomBytes(8 << 20))
  const commit = repository.commit('more than a pipe holds')
  const from = { gitDir: repository.at('repo', '.git') }
  const move = (to: string) => transfer({ from, to: { gitDir: to }, want: [commit], have: [] })
  // The receiver ends at once, so what the sender writes goes nowhere.
  await assert.rejects(move(repository.path), (error) => {
    assert.ok(error instanceof GitFailure)
    assert.match(error.stderr, /(not|requires) a git repository/)
    return true
  })
  // The sender ends half-way, so what the receiver gets has no end.
  const blob = repository.git('rev-parse', 'HEAD:big')
  await rm(repository.at('repo', '.git', 'objects', blob.slice(0, 2), blob.slice(2)))
  const receiver = repository.at('other')
  repository.git('init', '-q', '--bare', receiver)
  await assert.rejects(move(receiver), (error) => {
    assert.ok(error instanceof GitFailure)
    assert.match(error.stderr, new RegExp(blob))
    return true
  })
})
