// By the README alone: from a fresh clone to a change that Claude Code made on another repository, in at most five commands.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { blocksOf, ROOT } from '../docs/pages.ts'
import { makeRepository } from '../rig/repository.ts'
import { cliSetup } from './cli-rig.ts'
import { ModelServer } from './model-server.ts'

const FILES = {
  'package.json': '{"name": "shop", "type": "module", "scripts": {"test": "node --test"}}\n',
  'README.md': '# Shop\n\nRun the tests with `make test`.\n',
  // Claude Code reads this with every prompt, and the model finds its script by it.
  'CLAUDE.md': 'This is a small shop. [[script:shop]]\n',
  'src/total.js': 'export const total = (prices) => prices.reduce((sum, price) => sum + price, 0)\n',
  'test/total.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/total.js'

test('total', () => assert.equal(total([1, 2]), 3))
`,
}

const WORK = `case $ESPALIER_TASK in
readme) sed -i.bak 's/make test/npm test/' README.md && rm README.md.bak;;
test) printf "\\ntest('nothing', () => assert.equal(total([]), 0))\\n" >> test/total.test.js;;
esac`

test('the commands of the README, one after the other', async () => {
  const [install, use] = blocksOf('README.md').filter(({ text }) =>
    /^npm ci && npm run build|^espalier init/.test(text),
  )
  const typed = (use?.text ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ +#.*$/, ''))
  assert.ok(1 + typed.length <= 5, 'five commands')

  await using repository = await makeRepository({ files: FILES })
  await using server = await ModelServer.open({
    shop: [
      { do: 'run', command: WORK },
      { do: 'say', text: 'Done.' },
    ],
  })
  const { settings, environment } = cliSetup({ home: repository.at('home'), url: server.url })
  const [clone, prefix, bin] = [repository.at('espalier'), repository.at('prefix'), repository.at('bin')]
  mkdirSync(bin)
  symlinkSync(String(settings.agents?.claude?.program), join(bin, 'claude'))
  const path = [bin, join(prefix, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
  const type = async (command: string, cwd: string, env: NodeJS.ProcessEnv) =>
    (await promisify(execFile)('sh', ['-c', command], { cwd, env, maxBuffer: 64 << 20 })).stdout

  repository.git('clone', '-q', ROOT, clone)
  await type(install?.text ?? '', clone, { ...process.env, PATH: path, npm_config_prefix: prefix })
  const git = { GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'Ada' }
  const mail = { GIT_CONFIG_KEY_1: 'user.email', GIT_CONFIG_VALUE_1: 'ada@example.com' }
  const env = { ...environment, ...git, ...mail, PATH: path }
  const said: string[] = []
  for (const command of typed) said.push(await type(command, repository.top, env))
  assert.match(said[0] ?? '', /Wrote espalier\.yaml: 2 tasks for claude/)
  assert.match(said.at(-1) ?? '', /Landed 2\/2 tasks of run \S+ on main/)
  assert.match(repository.git('show', 'main:README.md'), /npm test/)
  assert.match(repository.git('show', 'main:test/total.test.js'), /total\(\[\]\)/)
})
