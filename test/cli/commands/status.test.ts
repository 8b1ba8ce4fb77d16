// `espalier status` beside a run at work, and at its end.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalierHere, said, startEspalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'

test('who waits for whom is said, and at the end of --watch all that status says of a run that is over', async () => {
  await using repository = await makeRepository()
  const go = repository.at('go')
  const plan = `
name: shop
tasks:
  - {id: first, run: "while [ ! -e '${go}' ]; do sleep 0.05; done; exit 3", claims: [src/**], retries: 0}
  - {id: second, run: echo 2 > second.txt, claims: [src/cart.ts]}
  - {id: login, prompt: Write the login., claims: [src/login/**], allowNoChange: true, after: [first, second]}
`
  writeFileSync(repository.at('plan.yaml'), plan)
  const engine = startEspalier(repository.top, ['run', repository.at('plan.yaml'), '--command', 'true'])
  const ended = said(engine)
  // Also where the test fails half-way: the run ends, and leaves nothing behind.
  await using _ = {
    async [Symbol.asyncDispose]() {
      writeFileSync(go, '')
      await ended
    },
  }
  const status = async (...args: string[]) => (await espalierHere(repository.top, ['status', ...args])).out
  let seen = ''
  await until('the second task waits', async () => {
    seen = await status()
    return /● first/.test(seen)
  })
  assert.match(seen, /○ second +ready +waits for first: src\/cart\.ts\n/)

  const watching = espalierHere(repository.top, ['status', '--watch'])
  writeFileSync(go, '')
  assert.equal((await ended).status, 1)
  const watched = await watching
  assert.equal(watched.status, 1)
  const over = await status()
  const told = over.slice(over.indexOf('\n\n✗ first: '))
  assert.match(told, /\n! login passed without changes, although it claims src\/login\/\*\*/)
  assert.match(told, /\nnext {2}espalier logs first --run shop-1 /)
  assert.ok(watched.out.endsWith(told), watched.out)
  assert.ok((await ended).out.includes('! login passed without changes'), 'the run itself says so at its end')
})
