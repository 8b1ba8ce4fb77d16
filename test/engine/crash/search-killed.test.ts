// A search whose engine is killed at a random write, resumed with another number of evals at a time, against the same search
// undisturbed and one by one: the manifest is the same but for times, processes and worktrees.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DoomedEngine } from '../../rig/doomed-engine.ts'
import { sampled } from '../../rig/sampled.ts'
import { adds, SearchRig, SMALLEST } from '../../rig/search.ts'
import { timeless } from '../../rig/virtual-search.ts'
import { random } from '../../simulation/random.ts'

/** `SEARCHES=20 npm run test:crash` takes as many as that. */
const SEEDS = Array.from({ length: Number(process.env.SEARCHES ?? 8) }, (_, n) => n + 1)

for (const seed of sampled('searches', SEEDS, 1))
  test(`search ${seed}`, async () => {
    const { ideas, text } = randomSearch(seed)
    await using serial = await SearchRig.open(ideas, text)
    const expected = await serial.run({ maxConcurrency: 1, retries: 1 })
    const { next, int } = random(seed)
    await using rig = await SearchRig.open(ideas, text)
    const slots = [2, 4, 8][int(3)] ?? 2
    const { plan, settings } = await rig.planned({ maxConcurrency: slots, retries: 1 })
    const death = { write: 4 + int(25), when: next() < 0.5 ? 'before' : 'after' } as const
    await using engine = new DoomedEngine(rig.repository.top, plan, settings, { death })
    const ended = await engine.ended()
    // It may have died right after its last write.
    const left = await rig.look()
    const isOver = left.manifest.status === 'completed'
    const { manifest } = ended === 'killed' && !isOver ? await rig.resume({ maxConcurrency: 2 }) : left
    assert.equal(
      timeless(manifest),
      timeless(expected.manifest),
      `${ended} at write ${death.write}, ${slots} at a time`,
    )
  })

/** Ideas that add, tie, fail, crash the first time and take their time. */
function randomSearch(seed: number): { ideas: Record<string, string>; text: string } {
  const { int, chance } = random(seed * 7919)
  const ideas: Record<string, string> = {}
  for (let n = 1; n <= 3 + int(2); n++) {
    const wait = `sleep 0.${int(4)}; `
    const kinds = [
      adds(int(4)),
      adds(2),
      'exit 3\n',
      `test "$ESPALIER_ATTEMPT" = 2 && ${adds(3)}`,
      'echo 500 > value.txt\n',
    ]
    ideas[`i${n}`] = wait + (kinds[int(kinds.length)] ?? '')
  }
  return {
    ideas,
    text: SMALLEST.replace('beam: 3', `beam: ${1 + int(2)}`).replace('depth: 2', `depth: ${chance(0.7) ? 2 : 1}`),
  }
}
