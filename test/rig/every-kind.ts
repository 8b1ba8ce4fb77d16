// Small runs that, taken together, write every kind of event there is. For a new kind: extend the scenario that is
// nearest to it, or add one to SCENARIOS.
//
// Nothing in them depends on how fast the machine is. An agent that has to wait waits for a *signal*, a file that
// every-kind-play.ts writes when the journal has come that far. An engine that takes over reads the journal from its
// start, so the same signals are given again: agents must not mind if they are there already.

import { fileURLToPath } from 'node:url'
import type { LayerSettings } from '../../src/config.ts'
import { requestPriority, requestSlots } from '../../src/engine/requests/change-run.ts'
import { holdClaims, releaseClaims } from '../../src/engine/requests/claims-of-people.ts'
import type { Run, RunEvent } from '../../src/index.ts'
import type { TaskDraft } from './plan.ts'
import { workspaceAt } from './workspace-at.ts'

export type Scenario = {
  /** `run` is what the agent does, in the words of every-kind-agent.sh. */
  tasks: (TaskDraft & { run: string })[]
  settings?: LayerSettings
  /** What `landing.verify` does, in the same words. */
  verify?: string
  /** What a person does once an agent has said `ready`, unless the journal says that it was done. */
  deed?: { isDone: RunEvent['type']; act: (run: Run, repo: string) => unknown }
  /** What they do when that has happened: perhaps a second time, after the engine was killed. */
  later?: { when: (event: RunEvent) => boolean; act: (repo: string) => unknown }
  /** When each is given. `before` holds the kinds of all events before this one. */
  signals?: Record<string, (event: RunEvent, before: ReadonlySet<RunEvent['type']>) => boolean>
  /** What a person makes of the conflict of a task, once the run rests because of it. */
  answer?: { task: string; file: string; text: string }
  /** With which settings the run goes on once it rests for want of money. */
  more?: LayerSettings
  /** Tasks that the plan has as well when the run goes on after an interruption. */
  added?: (TaskDraft & { run: string })[]
  /** Tasks that are added once an agent has said `ready`, while it runs. */
  grows?: (TaskDraft & { run: string })[]
  /** How it ends, whatever happens to its engine: the run, and its tasks in the order of the plan. */
  ends: string[]
}

export const SCENARIOS: Record<string, Scenario> = {
  /** The first attempt to end is one that failed, whose work is kept. */
  plain: {
    tasks: [
      { id: 'bad', run: 'echo bad > bad.txt; exit 1' },
      { id: 'first', run: 'wait_for bad; echo first > first.txt', verify: ['echo spoilt > first.txt'] },
      { id: 'second', run: 'cat first.txt > second.txt', needs: ['first'] },
    ],
    signals: { bad: (event) => event.type === 'attempt.finished' && event.task === 'bad' },
    ends: ['failed', 'bad failed', 'first landed', 'second landed'],
  },

  /** It prints nothing until that was noticed, and then goes on printing until that was noticed too. */
  stalled: {
    tasks: [{ id: 'quiet', run: 'wait_for stalled; print_until well; echo quiet > quiet.txt' }],
    settings: { stallAfterMs: 300 },
    signals: {
      stalled: ({ type }) => type === 'attempt.stalled',
      // An engine that takes over begins by calling nobody stalled, so it does not say that somebody has stirred.
      well: ({ type }, before) =>
        type === 'attempt.stirred' || (type === 'run.resumed' && before.has('attempt.stalled')),
    },
    ends: ['completed', 'quiet landed'],
  },

  /** `right` began before `left` landed, so it conflicts and is done again. */
  refused: {
    tasks: [
      { id: 'left', run: 'echo left > both.txt' },
      { id: 'right', run: 'wait_for left-landed; echo right > both.txt', retries: 1 },
    ],
    signals: { 'left-landed': (event) => event.type === 'landing.landed' && event.tasks.includes('left') },
    ends: ['completed', 'left landed', 'right landed'],
  },

  taskCancelled: {
    tasks: [
      { id: 'unwanted', run: 'echo half > half.txt; bill; say ready; wait_for nothing' },
      { id: 'dependent', run: 'echo never > never.txt', needs: ['unwanted'] },
      { id: 'other', run: 'echo other > other.txt' },
    ],
    deed: { isDone: 'task.cancelled', act: (run) => run.cancel('unwanted') },
    ends: ['failed', 'unwanted cancelled', 'dependent blocked', 'other landed'],
  },

  runCancelled: {
    tasks: [
      { id: 'first', run: 'echo first > first.txt' },
      { id: 'endless', run: 'echo half > half.txt; bill; say ready; wait_for nothing', needs: ['first'] },
      { id: 'dependent', run: 'echo never > never.txt', needs: ['endless'] },
    ],
    deed: { isDone: 'run.cancelled', act: (run) => run.cancel() },
    ends: ['cancelled', 'first landed', 'endless cancelled', 'dependent cancelled'],
  },

  /** `gate` runs alone when the interruption comes, and leaves nothing behind if it is ended by that. */
  interrupted: {
    tasks: [
      { id: 'first', run: 'echo first > first.txt' },
      { id: 'gate', run: 'say ready; wait_for resumed; echo gate > gate.txt', needs: ['first'] },
    ],
    deed: { isDone: 'run.interrupted', act: (run) => run.interrupt() },
    signals: { resumed: ({ type }, before) => type === 'run.resumed' && before.has('run.interrupted') },
    added: [{ id: 'late', run: 'cat first.txt gate.txt > late.txt', needs: ['gate'] }],
    ends: ['completed', 'first landed', 'gate landed', 'late landed'],
  },

  /** `gate` runs alone until a person lets two run at the same time. */
  widened: {
    tasks: [
      { id: 'gate', run: 'say ready; wait_for beside; echo gate > gate.txt' },
      { id: 'beside', run: 'echo beside > beside.txt' },
    ],
    settings: { maxConcurrency: 1 },
    deed: {
      isDone: 'slots.changed',
      act: async (run, repo) => requestSlots(await workspaceAt(repo), { run: run.id, slots: 2 }),
    },
    signals: { beside: (event) => event.type === 'landing.landed' && event.tasks.includes('beside') },
    ends: ['completed', 'gate landed', 'beside landed'],
  },

  /** `gate` runs alone until a person wants `last` before `beside`. */
  reordered: {
    tasks: [
      { id: 'gate', run: 'say ready; wait_for reordered; echo gate > gate.txt' },
      { id: 'beside', run: 'echo beside > beside.txt' },
      { id: 'last', run: 'echo last > last.txt' },
    ],
    settings: { maxConcurrency: 1 },
    deed: {
      isDone: 'priority.changed',
      act: async (run, repo) => requestPriority(await workspaceAt(repo), { run: run.id, task: 'last', priority: 5 }),
    },
    signals: { reordered: ({ type }) => type === 'priority.changed' },
    ends: ['completed', 'gate landed', 'beside landed', 'last landed'],
  },

  /** `gate` is the only task when the plan grows, and ends when it has. */
  grown: {
    tasks: [{ id: 'gate', run: 'say ready; wait_for grown; echo gate > gate.txt' }],
    grows: [
      { id: 'later', run: 'cat gate.txt > later.txt', needs: ['gate'] },
      { id: 'beside', run: 'echo beside > beside.txt' },
    ],
    signals: { grown: ({ type }) => type === 'tasks.added' },
    ends: ['completed', 'gate landed', 'later landed', 'beside landed'],
  },

  /** What lands is verified. The second of the two does not pass, in whatever batch it is. */
  verified: {
    tasks: [
      { id: 'good', run: 'echo good > good.txt' },
      { id: 'spoilt', run: 'echo spoilt > spoilt.txt' },
    ],
    verify: 'test ! -e spoilt.txt',
    settings: { landing: { reruns: 1 } },
    ends: ['failed', 'good landed', 'spoilt failed'],
  },

  /** The interruption comes while it is verified. */
  halted: {
    tasks: [{ id: 'only', run: 'echo only > only.txt' }],
    verify: 'say ready; wait_for resumed',
    deed: { isDone: 'run.interrupted', act: (run) => run.interrupt() },
    signals: { resumed: ({ type }, before) => type === 'run.resumed' && before.has('run.interrupted') },
    ends: ['completed', 'only landed'],
  },

  /** It tells something and asks for more than it has claimed, and writes that once it may. */
  told: {
    tasks: [
      {
        id: 'talks',
        claims: { write: ['own.txt'], read: [] },
        run: `tell log_issue '{"title":"odd"}'; tell request_claim '{"paths":["more.txt"]}'; wait_for granted; echo talks > more.txt`,
      },
    ],
    settings: { claims: 'enforce' },
    signals: { granted: ({ type }) => type === 'attempt.asked' },
    ends: ['completed', 'talks landed'],
  },

  /** What `dear` tells while it runs uses the budget up. It goes on to its end, and a person gives more for `later`. */
  budget: {
    tasks: [
      { id: 'dear', run: 'bill; wait_for reached; echo dear > dear.txt' },
      { id: 'later', run: 'echo later > later.txt', needs: ['dear'] },
    ],
    settings: { budgetUsd: 1 },
    signals: { reached: ({ type }) => type === 'budget.reached' },
    more: { budgetUsd: 9 },
    ends: ['completed', 'dear landed', 'later landed'],
  },

  /** A person holds what `kept` claims before it is ready, and lets go when it could start otherwise. */
  held: {
    tasks: [
      { id: 'first', run: 'say ready; wait_for held; echo first > first.txt' },
      { id: 'kept', claims: { write: ['src/**'], read: [] }, run: 'echo kept > kept.txt', needs: ['first'] },
    ],
    deed: {
      isDone: 'claims.held',
      act: async (_, repo) =>
        holdClaims(await workspaceAt(repo), { globs: ['src/a.ts'], name: 'ana', forMs: 3_600_000 }),
    },
    signals: { held: ({ type }) => type === 'claims.held' },
    later: {
      when: ({ type }) => type === 'landing.landed',
      act: async (repo) => releaseClaims(await workspaceAt(repo)),
    },
    ends: ['completed', 'first landed', 'kept landed'],
  },

  /** As `refused`, but a person brings the two together. */
  resolved: {
    tasks: [
      { id: 'left', run: 'echo left > both.txt' },
      { id: 'right', run: 'wait_for left-landed; echo right > both.txt' },
    ],
    settings: { landing: { conflict: 'manual' } },
    signals: { 'left-landed': (event) => event.type === 'landing.landed' && event.tasks.includes('left') },
    answer: { task: 'right', file: 'both.txt', text: 'left and right\n' },
    ends: ['completed', 'left landed', 'right landed'],
  },
}

/** The tasks with what their agents have in common. `folder` is where the signals are. */
export function withAgents(tasks: Scenario['tasks'], folder: string): TaskDraft[] {
  const env = { SIGNALS: folder, NODE: process.execPath, BIN }
  return tasks.map((task) => ({ ...task, env, run: `. '${AGENT}'; started; ${task.run}; ended` }))
}

/** The command that has to pass before anything lands. */
export function withVerify(command: string, folder: string): string {
  return `SIGNALS='${folder}'; . '${AGENT}'; ${command}`
}

const AGENT = fileURLToPath(new URL('every-kind-agent.sh', import.meta.url))
const BIN = fileURLToPath(new URL('../../bin/espalier.js', import.meta.url))
