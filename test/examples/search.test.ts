// The example of a search, as its README says: copied, run by the real command line, and landed.
import assert from 'node:assert/strict'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../docs/pages.ts'
import { espalierHere } from '../rig/espalier.ts'
import { runGit, temporaryFolder } from '../rig/repository.ts'

const EXAMPLE = join(ROOT, 'examples/search')

test('one cheats, one is noise, one ties, one crashes, and two are promoted', async () => {
  await using home = await temporaryFolder()
  const project = home.at('primes')
  await cp(EXAMPLE, project, { recursive: true })
  const git = (...args: string[]) => runGit(project, args)
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'A')
  git('config', 'user.email', 'a@example.com')
  git('add', '.')
  git('commit', '-qm', 'As it was')
  const search = ['search', 'run', 'search.yaml', '--max-parallel-evals', '2']
  const ran = await espalierHere(project, search, { home: home.path })
  assert.equal(ran.status, 0, ran.err + ran.out)
  assert.match(ran.out, /^ +2 +12\/12 evals, 2 failed +2 +12419$/m)
  const shown = await espalierHere(project, ['search', 'show', '--json'], { home: home.path })
  const manifest = JSON.parse(shown.out)
  const first = manifest.evals.filter(({ depth }: { depth: number }) => depth === 1)
  assert.deepEqual(
    first.map(({ promotion }: { promotion: { status: string } }) => promotion.status),
    ['promoted', 'promoted', 'outranked', 'no-improvement', 'unchanged', 'failed'],
  )
  assert.equal(first[1].score, first[2].score, 'these tie')
  assert.deepEqual(first[4].changed_protected, ['score.mjs'])
  assert.equal(
    manifest.nodes.find(({ node_id }: { node_id: string }) => node_id === manifest.best_node_id).score,
    12_419,
  )
  const landed = await espalierHere(project, ['land'], { home: home.path })
  assert.equal(landed.status, 0, landed.err)
  assert.match(landed.out, /^Landed the best of search search-1 on main/)
  assert.equal(git('show', 'HEAD:score.mjs'), (await readFile(join(EXAMPLE, 'score.mjs'), 'utf8')).trimEnd())
})
