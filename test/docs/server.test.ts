// The examples of docs/server.md, run as they stand there, against a real server.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { readWebhooks } from '../../src/server/ops/webhooks.ts'
import { ProjectFile } from '../../src/server/projects/projects.ts'
import { espalierHere } from '../rig/espalier.ts'
import { makeRepository, type TestRepository } from '../rig/repository.ts'
import { adds, FILES, SMALLEST } from '../rig/search.ts'
import { until } from '../rig/until.ts'
import { ServerRig } from '../server/server-rig.ts'

const run = promisify(execFile)
const text = readFileSync(new URL('../../docs/server.md', import.meta.url), 'utf8')

/** The blocks of a language, in a section of the page. */
function blocks(section: string, language: string): string[] {
  const [, body = ''] = new RegExp(`^## ${section}\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm').exec(text) ?? []
  return [...body.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block]) => block ?? '')
}

suite('the page on the server', () => {
  let repository: TestRepository
  let rig: ServerRig
  before(async () => {
    const files = {
      'espalier.yaml': "name: shop\ntasks: [{id: api, run: 'echo hello; echo x > x.txt'}]\n",
      'suite.yaml': 'entries: [{id: unit, run: "true"}]\n',
      ...FILES,
      'ideas/one.md': adds(1),
      'search.yaml': SMALLEST.replace('depth: 2', 'depth: 1'),
    }
    repository = await makeRepository({ files })
    rig = await ServerRig.open({ repository, repos: [] })
    assert.ok((await new ProjectFile(rig.home.at('.')).add(repository.top, 'shop')).ok)
    mkdirSync(rig.home.at('.config', 'espalier', 'server'), { recursive: true })
    writeFileSync(rig.home.at('.config', 'espalier', 'server', 'token'), rig.token)
  })
  after(async () => {
    await rig[Symbol.asyncDispose]()
    await repository[Symbol.asyncDispose]()
  })

  const isOver = () =>
    until('the end of the run', async () => {
      const { items } = await rig.client.runs.list({ project: 'shop' })
      return items[0]?.status === 'completed' && items[0].engine === null
    })

  test('every curl example answers as it should', async () => {
    const [block = ''] = blocks('With curl', 'sh')
    const lines = block.split('\n').filter((line) => line.startsWith('curl '))
    assert.ok(lines.length >= 20)
    const head = block.split('\n').slice(0, 2).join('\n').replace('http://127.0.0.1:4713', rig.url)
    for (const line of lines) {
      if (/\/runs\/shop-1|\/suites$|\/searches$/.test(line)) await isOver()
      const env = { ...process.env, HOME: rig.home.path }
      const script = `${head}\n${line.replace('curl -s', 'curl -sS --fail-with-body')}`
      const { stdout } = await run('sh', ['-ec', script], { env })
      assert.ok(stdout.length > 0, line)
    }
  })

  test('the TypeScript examples run as they stand there', async () => {
    const examples = blocks('From TypeScript', 'ts')
    assert.equal(examples.length, 2)
    const client = pathToFileURL(fileURLToPath(new URL('../../src/client.ts', import.meta.url))).href
    for (const [n, example] of examples.entries()) {
      const file = rig.home.at(`example-${n}.ts`)
      const here = example
        .replace("'espalier/client'", JSON.stringify(client))
        .replace('http://127.0.0.1:4713', rig.url)
      writeFileSync(file, here.replace(/^(import .*)$/m, `$1\nconst token = ${JSON.stringify(rig.token)}`))
      const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', file])
      if (n === 1) assert.match(stdout, /^api landed\n409 refused \[/)
      await isOver()
    }
  })

  test('tokens, webhooks and the unit for systemd', async () => {
    const commands = [...text.matchAll(/^\| `(espalier tokens[^`]*)` \|/gm)].map(([, command]) => command ?? '')
    assert.equal(commands.length, 3)
    for (const command of commands) {
      const { status, err } = await espalierHere(repository.top, command.split(' ').slice(1), { home: rig.home.path })
      assert.equal(status, 0, `${command}: ${err}`)
    }
    const [hooks = ''] = blocks('Webhooks', 'json')
    const file = rig.home.at('webhooks-example.json')
    writeFileSync(file, hooks)
    assert.deepEqual((readWebhooks(file) as { events: string[] }[])[0]?.events, ['run.finished', 'task.failed'])
    const [unit = ''] = blocks('Running it for good', 'ini')
    const start = /^ExecStart=\S+espalier (.*)$/m.exec(unit)?.[1] ?? ''
    const help = await espalierHere(repository.top, ['serve', '--help'])
    for (const flag of start.match(/--\w+/g) ?? []) assert.ok(help.out.includes(flag), flag)
  })
})

test('every test that its README says attacks the server is there', () => {
  const table = readFileSync(new URL('../server/README.md', import.meta.url), 'utf8')
  let file = ''
  let count = 0
  for (const [, named, words] of table.matchAll(/`(\w+)`|\*([^*]+) …\*/g)) {
    if (named !== undefined) file = readFileSync(new URL(`../server/${named}.test.ts`, import.meta.url), 'utf8')
    else {
      count++
      assert.ok(file.includes(`test('${words}`), words)
    }
  }
  assert.ok(count >= 20, `${count}`)
})
