// Machines that are network namespaces, few and for a short while; `npm run chaos:fleet` has fifty of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noNetworks } from '../../scripts/chaos/fleet/network.ts'
import { playFleet } from '../../scripts/chaos/fleet/round.ts'
import { temporaryFolder } from '../rig/repository.ts'

const why = noNetworks()
const skip = why === null ? false : `LEFT OUT: ${why}`

test('workers in network namespaces, two kills, a cable that is pulled and Postgres restarted: nothing is lost, doubled or left', {
  skip,
}, async (t) => {
  await using folder = await temporaryFolder()
  const few = { workers: 6, tasks: 60, kills: 2, partitions: 1, restarts: 1 }
  const seed = Math.floor(Math.random() * 1e6)
  t.diagnostic(`seed ${seed}`)
  const done = await playFleet({ folder: folder.path, ...few, seed, say: (line) => t.diagnostic(line) })
  t.diagnostic(JSON.stringify(done))
  assert.equal(done.harms.length, 4)
})
