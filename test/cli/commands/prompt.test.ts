import assert from 'node:assert/strict'
import { test } from 'node:test'
import { espalierHere as espalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

const PLAN = `
name: tea
objective: Sell tea
tasks:
  - {id: a, title: The first, prompt: Write {{a}}.}
  - {id: b, prompt: Write b., needs: [a]}
  - {id: c, run: "true"}
`

const step = (id: number, status: string) => ({ id, title: `Step ${id}`, description: 'x', status, dependencies: [] })

test('espalier prompt prints what would be sent, and what was', async () => {
  await using repository = await makeRepository({
    files: {
      'espalier.yaml': PLAN.replace('Write {{a}}.', "'Write {{a}}.'"),
      'tasks.json': JSON.stringify({ master: { tasks: [step(1, 'done'), step(2, 'cancelled'), step(3, 'pending')] } }),
    },
  })
  const run = (...args: string[]) => espalier(repository.top, args)
  const planned = await run('prompt', 'b')
  assert.equal(planned.status, 0)
  assert.match(planned.out, /^Write b\.\n\n## How[\s\S]*plan: Sell tea\n[\s\S]*\n- The first \(`a`\)\n/)
  assert.deepEqual(await run('prompt', 'b', 'espalier.yaml'), planned)

  const command = `cat > "$ESPALIER_TASK.txt"; echo '{"type":"outcome","summary":"wrote it"}'`
  assert.equal((await run('run', '--command', command)).status, 0)
  const sent = await run('prompt', 'b', '--attempt', '1')
  assert.match(
    sent.out,
    /- The first \(`a`, commit [0-9a-f]{12}\)\n {2}Its agent says: wrote it\n {2}Changed: `a\.txt`\n/,
  )
  assert.equal(sent.out, `${repository.git('show', 'espalier/tea-1:b.txt')}\n`)
  assert.deepEqual(await run('prompt', 'b', '--run', 'tea-1'), sent)

  for (const [args, says] of [
    [['task-1', 'tasks.json'], /^task-1 is done already, says tasks\.json: no agent will do it\. `espalier /],
    [['1', 'tasks.json'], /^1 is done already, .*`espalier prompt task-1 --run RUN/],
    [['task-2', 'tasks.json'], /^task-2 is left out, says tasks\.json/],
    [['c'], /^c runs a shell command/],
    [['d'], /^espalier\.yaml has no task d; it has a, b, c\n$/],
    [['d', '--run', 'tea-1'], /^run tea-1 has no task d; it has a, b, c\n$/],
    [['a', 'espalier.yaml', '--attempt', '1'], /^name a plan, or a run/],
  ] as const) {
    const refused = await run('prompt', ...args)
    assert.deepEqual([refused.status, refused.out], [2, ''])
    assert.match(refused.err, says)
  }
})
