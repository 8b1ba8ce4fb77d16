// The questions of "Troubleshooting": each is answered by the one command that stands beside it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalierHere } from '../rig/espalier.ts'
import { makeRepository } from '../rig/repository.ts'
import { coded, tableOf } from './pages.ts'

const PLAN = `
name: shop
defaults: {retries: 0}
landing: {conflict: manual}
tasks:
  - {id: cart, prompt: Add the cart.}
  - {id: one, run: "echo 1 > shared.txt"}
  - {id: two, run: "until git -C REPO log espalier/shop-1 | grep -q 'Land one'; do sleep 0.05; done; echo 2 > shared.txt"}
  - {id: broken, run: "test -f repaired || { echo 'TypeError: no cart' >&2; exit 3; }"}
  - {id: last, needs: [two], run: "true"}
`
const AGENT = `echo adding the cart; echo cart > cart.txt; echo '{"type":"usage","inputTokens":1,"outputTokens":2,"costUsd":0.25}'`

/** What stands for TASK or COMMIT, and what the answer has to say. In the order of the page. */
const ANSWERS: readonly [question: RegExp, name: string, answer: RegExp][] = [
  [/installed/, '', /git 2\./],
  [/How far/, '', /2\/5 done +1 conflict/],
  [/Why did/, 'broken', /exited with status 3[\s\S]*TypeError: no cart/],
  [/wait for/, 'last', /waits +for two\b/],
  [/agent print/, 'cart', /adding the cart/],
  [/task change/, 'cart', /\+cart/],
  [/cost/, '', /\$0\.25/],
  [/have to do/, 'cart', /Add the cart\./],
  [/stop one task/, 'two', /cancel/],
  [/continue tomorrow/, '', /run shop-1 (continues|failed)/],
  [/try again/, '', /retrying \d tasks?: .*broken/],
  [/get the result/, '', /Landed \d\/5 tasks of run shop-1 on main/],
  [/commit come from/, 'HEAD', /shop-1, branch espalier\/shop-1/],
  [/undo/, '', /^$/],
]

test('every question is answered by its command', async () => {
  const rows = tableOf('docs/troubleshooting.md', 'Troubleshooting', 'question')
  assert.equal(rows.length, ANSWERS.length)
  await using repository = await makeRepository({ files: { 'shared.txt': '0\n' } })
  const say = (...words: string[]) => espalierHere(repository.top, words, { home: repository.path })
  const before = repository.git('rev-parse', 'HEAD')
  await repository.write('../plan.yaml', PLAN.replace('REPO', repository.top))
  await say('run', '../plan.yaml', '-j', '5', '--command', AGENT)
  for (const [index, [question, name, answer]] of ANSWERS.entries()) {
    const [asked = '', written = ''] = rows[index] ?? []
    assert.match(asked, question)
    const [command = ''] = coded(written)
    const [program, ...args] = command.split(' ').map((one) => (/^(TASK|COMMIT)$/.test(one) ? name : one))
    const { out, err } = program === 'git' ? { out: repository.git(...args), err: '' } : await say(...args)
    assert.match(`${out}${err}`, answer, `${asked} ${command}`)
  }
  assert.equal(repository.git('rev-parse', 'HEAD'), before, 'nothing of it is left')
})
