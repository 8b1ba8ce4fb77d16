// Fetching the real agents for their tests, with npm itself and packages from a folder: no registry is asked.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { AGENT_CLIS, fetchClis } from '../../scripts/agent-clis.ts'

const MODULE = fileURLToPath(new URL('../../scripts/agent-clis.ts', import.meta.url))
const SCRIPT = fileURLToPath(new URL('../../scripts/test-agents.ts', import.meta.url))
const FLAGS = ['--disable-warning=ExperimentalWarning']

suite('the agents for the tests', { concurrency: 4 }, () => {
  test('without a registry it says which could not be fetched, and fails', async () => {
    using place = new Place()
    const npm = { npm_config_registry: 'http://127.0.0.1:9', npm_config_cache: join(place.path, 'npm') }
    const env = { ...process.env, ...npm, XDG_CACHE_HOME: join(place.path, 'cache') }
    const child = spawn(process.execPath, [...FLAGS, SCRIPT], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const said = child.stderr.toArray()
    const [code] = await once(child, 'exit')
    const lines = Buffer.concat(await said).toString('utf8')
    assert.equal(code, 1)
    assert.match(lines, /^The tests with real agents cannot run:$/m)
    for (const spec of Object.values(AGENT_CLIS))
      assert.ok(lines.includes(`${spec} could not be fetched from the npm registry: check the network`), lines)
  })

  test('what one that was killed had fetched is thrown away, and fetched anew', async () => {
    using place = new Place()
    const abandoned = join(place.clis, `tool.${pidOfNobody()}`)
    mkdirSync(join(abandoned, 'node_modules'), { recursive: true })
    assert.deepEqual(await fetchClis(place.clis, { tool: place.package('tool', 'exit 0') }), [])
    assert.deepEqual(readdirSync(place.clis), ['tool'])
    assert.ok(existsSync(join(place.clis, 'tool', 'node_modules', '.bin', 'tool')))
  })

  test('two at once do not get in the way of each other', async () => {
    using place = new Place()
    const specs = { tool: place.package('tool', 'exit 0') }
    const script = `import { fetchClis } from ${JSON.stringify(MODULE)}
      const troubles = await fetchClis(${JSON.stringify(place.clis)}, ${JSON.stringify(specs)})
      if (troubles.length > 0) throw new Error(troubles.join())`
    const both = [1, 2].map(() =>
      spawn(process.execPath, [...FLAGS, '--input-type=module', '--eval', script], { stdio: 'ignore' }),
    )
    assert.deepEqual(await Promise.all(both.map(async (child) => (await once(child, 'exit'))[0])), [0, 0])
    assert.deepEqual(readdirSync(place.clis), ['tool'])
  })

  test('a program that does not run is not put in its place', async () => {
    using place = new Place()
    const [trouble, ...more] = await fetchClis(place.clis, { tool: place.package('tool', 'exit 1') })
    assert.match(trouble ?? '', /was fetched, but `tool --version` fails/)
    assert.deepEqual(more, [])
    assert.deepEqual(readdirSync(place.clis), [])
  })
})

/** A folder for everything, gone with the test. */
class Place implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'espalier-clis-'))
  readonly clis = join(this.path, 'clis')

  /** A package with a program of that name, in a folder that npm installs from. */
  package(name: string, script: string): string {
    const folder = join(this.path, name)
    mkdirSync(folder)
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', bin: { [name]: 'run.sh' } }))
    writeFileSync(join(folder, 'run.sh'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return folder
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** Of a process that has ended. */
function pidOfNobody(): number {
  return spawnSync('true').pid
}
