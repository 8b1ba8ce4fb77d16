// `show`, `diff` and `logs` of several tasks, after a run; and the markers of a conflict that waits for a person.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { espalierHere } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'
import { until } from '../../rig/until.ts'

const PLAN = `
name: shop
retries: 0
landing: {conflict: manual}
tasks:
  - {id: cart, title: The cart, run: "echo adding; echo cart > shared.txt"}
  - {id: till, run: "echo counting; echo till > shared.txt"}
  - {id: broken, run: "echo start; echo 'TypeError: no cart' >&2; echo '    at x.js:1' >&2; exit 3"}
  - {id: last, needs: [broken], run: "true"}
`

test('one task with all that is known of it, its patch, the output of several, and whose side is whose', async () => {
  await using repository = await makeRepository({ files: { 'shared.txt': 'none\n' } })
  writeFileSync(repository.at('plan.yaml'), PLAN.replace('retries: 0\n', 'defaults: {retries: 0}\n'))
  const here = (...args: string[]) => espalierHere(repository.top, args)
  const ran = await here('run', repository.at('plan.yaml'), '-j', '4', '--quiet')
  assert.match(ran.out, /^\nshop-1 {2}/, 'the summary alone')
  assert.match(ran.out, /TypeError: no cart/)

  const status = JSON.parse((await here('status', '--json')).out)
  const byId = Object.fromEntries(status.tasks.map((task: { id: string; status: string }) => [task.id, task.status]))
  const conflict = byId.cart === 'conflict' ? 'cart' : 'till'
  const landed = conflict === 'cart' ? 'till' : 'cart'
  assert.deepEqual([byId[conflict], byId[landed], byId.broken, byId.last], ['conflict', 'landed', 'failed', 'blocked'])

  const broken = (await here('show', 'broken')).out
  assert.match(broken, /✗ broken {2}failed/)
  assert.match(broken, /\n {4}TypeError: no cart\n +at x\.js:1\n/)
  assert.match(broken, /espalier retry broken --run shop-1 /)
  assert.match((await here('show', conflict)).out, /\nwaits +for you to resolve the conflict\n/)
  assert.deepEqual(JSON.parse((await here('show', conflict, '--json')).out).waitsFor, { kind: 'person' })

  const patch = await here('diff', landed)
  assert.match(patch.out, new RegExp(`^diff --git a/shared\\.txt b/shared\\.txt\n[^]*\\n-none\\n\\+${landed}\\n$`))
  assert.equal(JSON.parse((await here('diff', landed, '--json')).out).patch, patch.out)
  assert.match((await here('diff', 'last')).err, /^last has changed no files\n/)

  const merged = await here('logs', 'cart', 'till')
  assert.equal(merged.out, 'cart │ adding\ntill │ counting\n')
  assert.equal((await here('logs', '-f')).out, (await here('logs')).out, 'nothing is at work')
  const lines = (await here('logs', 'broken', 'cart', '--json')).out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(lines.at(-1), { version: 1, task: 'broken', attempt: 1, text: '    at x.js:1' })
  assert.match((await here('logs', 'cart', 'till', '--raw')).err, /are for one task/)

  const resolving = await here('resolve', conflict)
  const folder = /: (.*)\n/.exec(resolving.out)?.[1] ?? ''
  const marked = readFileSync(`${folder}/shared.txt`, 'utf8')
  assert.equal(marked, `<<<<<<< landed\n${landed}\n=======\n${conflict}\n>>>>>>> ${conflict}\n`)
  assert.match((await here('resolve', conflict, '--done')).err, /conflict markers are left in shared\.txt/)
})

for (const shell of ['bash', 'zsh', 'fish'])
  test(`completion for ${shell} knows commands, those of \`plan\`, and flags`, async () => {
    const { out, status } = await espalierHere('/', ['completion', shell])
    assert.equal(status, 0)
    for (const word of ['status', 'resume', 'convert', 'max-concurrency'])
      assert.match(out, new RegExp(`\\b${word}\\b`))
  })

test('what bash completes', async () => {
  const { out } = await espalierHere('/', ['completion', 'bash'])
  const completed = (...words: string[]) => {
    const line = ['espalier', ...words].map((word) => `'${word}'`).join(' ')
    const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _espalier; echo "\${COMPREPLY[*]}"`
    return execFileSync('bash', ['-c', `${out}\n${ask}`], { encoding: 'utf8' }).trim()
  }
  assert.equal(completed('stat'), 'status')
  assert.equal(completed('plan', 's'), 'show simulate')
  assert.equal(completed('--repo', 'x', 'plan', 'show', '--mer'), '--mermaid')
  assert.equal(completed('show', '--mer'), '')
})

test('a task that waits for a claim says whose', async () => {
  await using repository = await makeRepository()
  const gate = `while [ ! -e ${repository.path}/open ]; do sleep 0.05; done`
  const tasks = [
    { id: 'gate', run: gate, claims: ['l.txt'] },
    { id: 'kept', run: 'true', claims: ['l.txt'] },
  ]
  writeFileSync(repository.at('claims.json'), JSON.stringify({ name: 'claims', tasks }))
  const here = (...args: string[]) => espalierHere(repository.top, args)
  const running = here('run', repository.at('claims.json'), '-j', '4', '--quiet')
  try {
    const waiting = await until('the claim', async () => {
      const { out } = await here('show', 'kept', '--json')
      const { waitsFor = null } = out === '' ? {} : JSON.parse(out)
      return waitsFor?.kind === 'claim' ? waitsFor : null
    })
    assert.deepEqual([waiting.holder, waiting.glob], ['gate', 'l.txt'])
  } finally {
    writeFileSync(`${repository.path}/open`, '')
    await running
  }
})
