import { problem, refuse } from '../../problem.ts'
import { planText } from '../../workloads/plan/text.ts'
import { FORMAT_FLAGS, flag, help, inRepository, plannerFlags } from '../command-line/command.ts'
import { EXIT } from '../exit-status.ts'
import { isJson, whyNotThere } from '../inputs/path-for-new-plan.ts'
import { loadPlan } from '../inputs/plan-file.ts'
import { findWorkspace } from '../inputs/repository.ts'
import { settingsFromFlags } from '../inputs/run-flags.ts'
import { sourceLine } from '../plan/how-it-was-read.ts'
import { problemLines } from '../refusal.ts'
import { writeInto } from '../terminal/write-page.ts'

/** Converts only plans without errors, so that the result can be run. A file called .json gets JSON. */
export const commands = {
  convert: inRepository(
    {
      ...FORMAT_FLAGS,
      ...plannerFlags(['json', 'format', 'part']),
      output: flag('-o, --output <file>', 'write it to this file, which must not exist; - is stdout'),
      json: flag('--json', 'as JSON instead of YAML'),
    },
    help(
      `Prints a plan of another format in Espalier's own, as YAML or with --json as JSON. It has the open tasks, in the same
order and with the same prompts: running it is running the original. --output writes a file: JSON if its name ends in
.json, else YAML; its folder is created.

With --agent (or --command) the files may be prose: the agent makes a plan of them, as with \`espalier plan new\`, and writes
it to plan.yaml or --output, which must not exist. Nothing of it is run. Read it before you run it.`,
      '0, or 2 if the plan has problems or nothing left to do. With an agent as for `plan new`.',
      'espalier plan convert implementation_plan.json -o espalier.yaml',
      'espalier plan convert .claude/epics/checkout --format ccpm',
      "espalier plan convert .beads/issues.jsonl --json | jq '.tasks[].id'",
      'espalier plan convert docs/roadmap.md --agent claude -o roadmap.yaml',
    ),
    async (here, flags, files: readonly string[]) => {
      if (flags.agent !== undefined || flags.command !== undefined) {
        const found = await findWorkspace(here, flags, settingsFromFlags(flags))
        return found.ok ? (await import('./plan-new.ts')).planOfFiles(found.value, flags, files) : found
      }
      const output = flags.output === '-' ? undefined : flags.output
      const target = output === undefined ? null : { file: output, cwd: here.cwd, isOver: false }
      const inTheWay = target && whyNotThere(target)
      if (inTheWay) return refuse(inTheWay)
      const loaded = await loadPlan(files, flags, here)
      if (!loaded.ok) return loaded
      const { plan, source, warnings } = loaded.value
      here.err.write(problemLines(warnings, here.err))
      if (plan.tasks.length === 0) return refuse(problem('there is nothing left to do in it', { file: source.file }))
      const text = planText(source, flags.json || (target && isJson(target.file)) ? 'json' : 'yaml')
      if (!text.ok) return text
      if (!target) {
        here.out.write(text.value)
        return EXIT.done
      }
      const trouble = await writeInto(target, text.value)
      if (trouble) return refuse(trouble)
      here.err.write(`${target.file}: ${sourceLine(source, plan.tasks.length) || plan.name}\n`)
      return EXIT.done
    },
  ),
}
