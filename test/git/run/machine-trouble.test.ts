import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GitFailure } from '../../../src/git/run/git.ts'
import { DiskTrouble, isDiskTrouble, machineTroubleText } from '../../../src/git/run/machine-trouble.ts'

// As git prints them, from its version 2.38 on.
const FULL = [
  "fatal: sha1 file '/s/slots/1.index.lock' write error. Out of diskspace",
  "fatal: sha1 file '/s/slots/1.index.lock' write error: No space left on device",
  "fatal: hash file '/s/slots/1.index.lock' write error. Out of diskspace",
  'fatal: unable to write loose object file: No space left on device',
  'error: unable to write file src/a.txt\nfatal: something else',
  'error: unable to create temporary file: No space left on device\nerror: src/a.txt: failed to insert into database',
  'fatal: write error: No space left on device',
  "fatal: update_ref failed for ref 'r': cannot update the ref 'r': unable to append to '/l': No space left on device",
  "fatal: update_ref failed for ref 'r': cannot update ref 'r': couldn't write '/r.lock'",
  'fatal: cannot copy x: Disk quota exceeded',
  'fatal: unable to write new index file',
]

const OTHER = [
  "fatal: Unable to create '/s/engine.git/refs/heads/a.lock': File exists.",
  'fatal: not a git repository',
  'error: unable to create file a: Permission denied',
  'fatal: bad object 1234',
  '',
]

test('a git that had no room is told from one that failed for another reason', () => {
  for (const stderr of FULL) assert.equal(isDiskTrouble(new GitFailure(['x'], 128, stderr)), true, stderr)
  for (const stderr of OTHER) assert.equal(isDiskTrouble(new GitFailure(['x'], 128, stderr)), false, stderr)
})

test('what the system says, and what to do about it', () => {
  const system = (code: string) => Object.assign(new Error(`${code}: x`), { code })
  for (const error of [system('ENOSPC'), system('EDQUOT'), system('EFBIG'), system('EIO'), new DiskTrouble('full')]) {
    assert.equal(isDiskTrouble(error), true)
    assert.equal(machineTroubleText(error), `${error.message}: free some disk`)
  }
  assert.equal(machineTroubleText(system('EROFS')), 'EROFS: x: make that disk writable')
  for (const error of [system('EACCES'), system('ENOENT'), new TypeError('x'), null]) {
    assert.equal(isDiskTrouble(error), false)
  }
})
