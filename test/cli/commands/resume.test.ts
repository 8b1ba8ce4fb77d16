// `espalier resume`, as a person in a terminal meets it.
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { espalier } from '../../rig/espalier.ts'
import { makeRepository } from '../../rig/repository.ts'

const SETTINGS = 'agents: { gemini: { program: /bin/false } }\n'
const PLAN = `
name: shop
budgetUsd: 1
tasks:
  - { id: a, run: "echo '{\\"type\\":\\"usage\\",\\"costUsd\\":1}'" }
  - { id: b, needs: [a], prompt: Do it., agent: gemini, model: gemini-9 }
`

test('a budget that cannot count what an agent spends is warned of by resume as it is by run', async () => {
  await using repository = await makeRepository()
  const file = repository.at('plan.yaml')
  await writeFile(file, PLAN)
  await mkdir(repository.at('repo/.espalier'))
  await writeFile(repository.at('repo/.espalier/config.yaml'), SETTINGS)
  const warning = /^warning: there is a budget, but gemini .* no price of the model gemini-9 is known: .* \(of b\)$/gm
  const warned = async (...args: string[]) => {
    const { status, out, err } = await espalier(repository.top, args)
    assert.equal(status, 3, out + err)
    return err.match(warning)?.length
  }
  assert.equal(await warned('run', file), 1)
  assert.equal(await warned('resume'), 1)
})

test('--budget-usd none lifts the budget of the plan, for run and for resume', async () => {
  await using repository = await makeRepository()
  const file = repository.at('plan.yaml')
  const spends = `echo '{\\"type\\":\\"usage\\",\\"costUsd\\":1}'`
  await writeFile(
    file,
    `name: shop\nbudgetUsd: 1\ntasks:\n  - { id: a, run: "${spends}" }\n  - { id: b, run: "true" }\n`,
  )
  const run = (...args: string[]) => espalier(repository.top, args)
  const waits = await run('run', file, '-j', '1')
  assert.equal(waits.status, 3, waits.out + waits.err)
  const resumed = await run('resume', '--budget-usd', 'none')
  assert.equal(resumed.status, 0, resumed.out + resumed.err)
  const free = await run('run', file, '-j', '1', '--budget-usd', 'none')
  assert.equal(free.status, 0, free.out + free.err)
})
