// The agent `claude` of a run, played by fake-claude.mjs.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LayerSettings } from '../../src/config.ts'
import type { TaskDraft } from './plan.ts'
import type { Rig } from './rig.ts'

const SCRIPT = fileURLToPath(new URL('fake-claude.mjs', import.meta.url))

/**
 * What it does in one process: it tells of these calls, writes these files as far as its hooks let it, runs `sh`, and says
 * something at the end.
 */
export type Play = {
  sh?: string
  calls?: string[]
  writes?: string[]
  say: string
  costUsd?: number
  tokens?: number
  subtype?: string
  /** The one it says it uses. */
  model?: string
  /** SIGTERM does not end it. */
  stubborn?: boolean
  /** SIGTERM does not end it, but is noted in this file. */
  told?: string
  /** It goes on after its calls once this file is there. */
  until?: string
}

export class FakeClaude {
  readonly folder: string
  readonly #program: string

  private constructor(folder: string) {
    this.folder = folder
    this.#program = join(folder, 'claude')
  }

  /** `plays`: one for each process of the conversation. */
  static async open(rig: Rig, plays: Play[]): Promise<FakeClaude> {
    const fake = new FakeClaude(rig.repository.at('claude'))
    await mkdir(fake.folder)
    await writeFile(fake.#program, `#!/bin/sh\nexec '${process.execPath}' '${SCRIPT}' "$@"\n`)
    await chmod(fake.#program, 0o755)
    for (const [index, play] of plays.entries()) await fake.play(index + 1, play)
    return fake
  }

  /** What it does from now on in the process of that number of a conversation. */
  async play(process: number, play: Play): Promise<void> {
    await writeFile(join(this.folder, `${process}.json`), JSON.stringify(play))
  }

  settings(more: LayerSettings = {}): LayerSettings {
    return { ...more, agents: { claude: { program: this.#program } } }
  }

  task(task: Partial<TaskDraft> = {}): TaskDraft {
    const work = { kind: 'prompt', prompt: 'Write a.txt.', agent: 'claude', model: null } as const
    return { id: 'a', work, env: { CLAUDE_FAKE: this.folder }, ...task }
  }

  /** How it was called, in order. */
  async called(): Promise<{ session: string; resumes: boolean; prompt: string; argv: string[] }[]> {
    const text = await readFile(join(this.folder, 'called'), 'utf8').catch(() => '')
    return text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)))
  }
}
