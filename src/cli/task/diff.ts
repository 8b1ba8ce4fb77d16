import { readDiff } from '../../engine/query/work-of-task.ts'
import { safeText } from '../../text/safe.ts'
import { flag, help, inWorkspace, WHICH_RUN } from '../command-line/command.ts'
import { wholeNumber } from '../command-line/flag-values.ts'
import { EXIT } from '../exit-status.ts'
import { knownTask, tellRun } from '../inputs/known-run.ts'
import type { Palette } from '../terminal/palette.ts'
import { printJson } from '../terminal/print.ts'

export const commands = {
  diff: inWorkspace(
    {
      attempt: flag('--attempt <n>', 'which attempt; default: the last that left work', wholeNumber(1)),
      run: WHICH_RUN,
      json: flag('--json', 'print one JSON object, with the patch as text'),
    },
    help(
      `The work of its last attempt that left some, landed or not, against the commit it started from.`,
      '0, or 2 if there is no such run or task, or it has changed nothing.',
      'espalier diff schema',
      'espalier diff schema | git apply',
    ),
    async (here, flags, name: string) => {
      const { workspace } = here
      const known = await knownTask(workspace, flags.run, name)
      if (!known.ok) return known
      const { view, task } = known.value
      const read = await readDiff(workspace, { run: view.run, task, attempt: flags.attempt }, MAX_BYTES)
      if (!read.ok) return read
      const { patch, isCut, from, to } = read.value
      if (flags.json) return printJson({ run: view.run, task, from, to, patch: patch.toString(), isCut }, here)
      tellRun(view, flags.run, here)
      const { out, err, outPalette } = here
      // A pipe gets the exact bytes, for `git apply`.
      out.write(out.isTTY ? painted(patch.toString(), outPalette) : patch)
      if (isCut) err.write(`there is more of it: git diff ${from} ${to}\n`)
      return EXIT.done
    },
  ),
}

const MAX_BYTES = 50_000_000

function painted(patch: string, palette: Palette): string {
  const lines = patch.split('\n').map((line) => {
    const text = safeText(line)
    if (/^(diff|index|---|\+\+\+) /.test(text)) return palette.strong(text)
    if (text.startsWith('+')) return palette.good(text)
    if (text.startsWith('-')) return palette.bad(text)
    return text.startsWith('') ? palette.busy(text) : text
  })
  return lines.join('\n')
}
