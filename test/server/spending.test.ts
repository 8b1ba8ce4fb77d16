// What a run has cost is one figure, wherever it is shown: what its attempts have used, those that run included.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { spendingLines } from '../../src/cli/status/money-lines.ts'
import { palette } from '../../src/cli/terminal/palette.ts'
import { until } from '../rig/until.ts'
import { ServerRig } from './server-rig.ts'

const bill = (usd: number) => `echo '{"type":"usage","costUsd":${usd}}'`

test('what running attempts have reported is counted in every figure of what a run costs', async () => {
  await using rig = await ServerRig.open()
  const { client, repository } = rig
  const open = repository.at('open')
  const wait = `while [ ! -e ${open} ]; do sleep 0.05; done`
  const text = `name: money
budgetUsd: 20
tasks:
  - {id: done, epic: a, run: ${JSON.stringify(`${bill(0.08)}; echo d > d.txt`)}}
  - {id: one, epic: a, needs: [done], run: ${JSON.stringify(`${bill(1.69)}; ${wait}; echo o > o.txt`)}}
  - {id: two, needs: [done], run: ${JSON.stringify(`${bill(1)}; ${wait}; echo t > t.txt`)}}
`
  const { run } = await client.runs.start({ project: 'repo', plan: { text, name: 'money.yaml' }, maxConcurrency: 2 })
  const of = { project: 'repo', run }
  const spent = async () => (await client.runs.get(of)).budgets?.spentUsd ?? 0
  await until('what both have reported', async () => Math.abs((await spent()) - 2.77) < 1e-9)

  const figures = async () => {
    const view = await client.runs.get(of)
    const { tasks } = await client.runs.changes(of)
    const spending = await client.runs.spending(of)
    const batches = await client.parallel.batches({ project: 'repo' })
    const { items } = await client.runs.list({ project: 'repo' })
    const sum = (list: { usage: { costUsd: number } }[]) => list.reduce((usd, { usage }) => usd + usage.costUsd, 0)
    return {
      status: Number(/\$([\d.]+)/.exec(spendingLines({ tasks }, { width: 100, palette: palette(false) }).join())?.[1]),
      header: view.usage.costUsd,
      list: items[0]?.usage.costUsd,
      attempts: sum(tasks.flatMap(({ history }) => history.flatMap(({ usage }) => (usage ? [{ usage }] : [])))),
      spending: spending.run.usage.costUsd,
      tasks: sum(spending.tasks),
      overTime: spending.overTime.at(-1)?.costUsd,
      total: batches.total_cost,
      batches: batches.batch_results.reduce((usd, { cost }) => usd + cost, 0),
    }
  }
  const check = async () => {
    for (const [name, usd] of Object.entries(await figures()))
      assert.ok(Math.abs((usd ?? 0) - 2.77) < 1e-9, `${name}: ${usd}`)
  }
  await check()
  writeFileSync(open, '')
  await until('the end', async () => (await client.runs.get(of)).status === 'completed')
  await check()
})
