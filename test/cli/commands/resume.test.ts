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
