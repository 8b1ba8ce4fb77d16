// A repository with a search in it, run by the real engine.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { LayerSettings } from '../../src/config.ts'
import { openSearch, readIdeas, searchPlan, searchSettings, withEagerness } from '../../src/engine/open/open-search.ts'
import { resumeRun } from '../../src/engine/open/resume-run.ts'
import { type ReadSearchRun, readSearchRun } from '../../src/engine/query/search-tree.ts'
import { useGitRunner } from '../../src/git/run/runner-client.ts'
import type { Event, RunEvent, RunResult } from '../../src/index.ts'
import { readSearch } from '../../src/workloads/search/read.ts'
import type { EvalEntry, Manifest } from '../../src/workloads/search/result-manifest.ts'
import { makeSettings } from './plan.ts'
import { makeRepository, type TestRepository, write } from './repository.ts'
import { workspaceAt } from './workspace-at.ts'

useGitRunner()

/** The one of the documentation. `cat value.txt` is the score, and it has to stay below 100. */
export const SMALLEST = `
objective: a bigger number
ideas: ideas/*.md
evaluate: [{ run: sh "$ESPALIER_IDEA" }]
gates: [sh test.sh]
score: { run: sh score.sh, goal: max }
protected: [score.sh, test.sh]
beam: 3
depth: 2
`

export const FILES = {
  'value.txt': '10\n',
  'score.sh': 'cat value.txt\n',
  'test.sh': 'test "$(cat value.txt)" -lt 100\n',
  '.gitignore': 'node_modules/\ncache/\n',
}

/** An idea that adds to the number. */
export const adds = (number: number) => `echo $(( $(cat value.txt) + ${number} )) > value.txt\n`

export class SearchRig implements AsyncDisposable {
  readonly repository: TestRepository
  readonly text: string

  constructor(repository: TestRepository, text: string) {
    this.repository = repository
    this.text = text
  }

  /** Ideas are beside the repository: what is tried is not part of what is tried on. */
  static async open(
    ideas: Record<string, string>,
    text = SMALLEST,
    files: Record<string, string> = FILES,
  ): Promise<SearchRig> {
    const repository = await makeRepository({ files })
    for (const [name, idea] of Object.entries(ideas)) await write(join(repository.path, 'ideas', `${name}.md`), idea)
    return new SearchRig(repository, text)
  }

  async read(settings: LayerSettings = {}) {
    const file = join(this.repository.path, 'search.yaml')
    const said = readSearch(this.text, file, makeSettings())
    assert.ok(said.ok, JSON.stringify(said))
    const ideas = await readIdeas(file, said.value.ideas)
    assert.ok(ideas.ok, JSON.stringify(ideas))
    const all = makeSettings({ retries: 0, ...said.value.settings, ...settings })
    return { read: withEagerness(said.value, all), ideas: ideas.value, settings: all }
  }

  /** For an engine in a process of its own. */
  async planned(settings: LayerSettings = {}) {
    const options = await this.read(settings)
    return { plan: searchPlan(options), settings: searchSettings(options.settings) }
  }

  async run(settings: LayerSettings = {}, environment = process.env): Promise<SearchResult> {
    const opened = await openSearch(await workspaceAt(this.repository.top), {
      ...(await this.read(settings)),
      environment,
    })
    assert.ok(opened.ok, JSON.stringify(opened))
    return this.#finish(opened.value)
  }

  async resume(settings: LayerSettings = {}): Promise<SearchResult> {
    const changes = [{ from: 'test', settings }]
    const opened = await resumeRun(await workspaceAt(this.repository.top), { changes })
    assert.ok(opened.ok, JSON.stringify(opened))
    return this.#finish(opened.value)
  }

  async look(run?: string): Promise<ReadSearchRun> {
    const read = await readSearchRun(await workspaceAt(this.repository.top), { run })
    assert.ok(read.ok, JSON.stringify(read))
    return read.value
  }

  async #finish(
    run: { execute(): Promise<RunResult>; events(): AsyncIterable<RunEvent>; id: string } & AsyncDisposable,
  ) {
    await using closed = run
    const events: Event[] = []
    const listening = (async () => {
      for await (const event of closed.events()) if ('seq' in event) events.push(event)
    })()
    const outcome = await closed.execute()
    await listening
    const { manifest } = await this.look(run.id)
    const byIdea = new Map(
      manifest.evals.map((one) => [`${one.depth}:${one.idea_path?.replace(/^.*\/|\.md$/g, '')}`, one]),
    )
    return {
      outcome,
      manifest,
      events,
      of: (name: string) => byIdea.get(name.includes(':') ? name : `1:${name}`) as EvalEntry,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.repository[Symbol.asyncDispose]()
  }
}

export type SearchResult = {
  outcome: RunResult
  manifest: Manifest
  events: Event[]
  /** By the name of its idea; those of other depths as `2:name`. */
  of: (idea: string) => EvalEntry
}
