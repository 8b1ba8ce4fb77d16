// Writes a page or another text to stdout or a file, prints the path of the file, and opens pages in the browser.

import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { ok, type Problem, problem, type Result, refuse } from '../../problem.ts'
import { currentApp } from '../../reports/built-app.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import type { PageFlag } from '../command-line/command.ts'
import { EXIT } from '../exit-status.ts'
import type { Done } from '../refusal.ts'
import type { Surroundings } from '../surroundings.ts'
import { printLines } from './print.ts'

/** The dashboard as one page without data. `built`: its folder; without it the app is built first if necessary. */
async function pageTemplate({ err }: Surroundings, built?: string): Promise<Result<string>> {
  const app = built === undefined ? await currentApp((line) => err.write(`${line}\n`)) : ok(built)
  return app.ok ? ok(await readFile(join(app.value, 'report.html'), 'utf8')) : app
}

/** The page of a run, and its default file. */
export async function runPage(
  workspace: Workspace,
  run: string,
  surroundings: Surroundings,
  { built, name = `${run}.html` }: { built?: string; name?: string } = {},
): Promise<Result<{ text: string; file: string }>> {
  const { htmlReport } = await import('../../server/recording/html-report.ts')
  const template = await pageTemplate(surroundings, built)
  const made = template.ok ? await htmlReport(workspace, { run, template: template.value }) : template
  return made.ok ? ok({ text: made.value.text, file: join(made.value.folder, name) }) : made
}

/** `-` is stdout. `own`: the default file. */
export async function writePage(text: string, flag: PageFlag, own: string, surroundings: Surroundings): Promise<Done> {
  return writeText(text, flag === true ? own : flag, surroundings)
}

/** Writes `shop.plan.html` beside the reports of runs, whose names have no dot. */
export async function writePlanPage(
  { kind, name, workspace }: { kind: 'plan' | 'simulation'; name: string; workspace: Workspace | null },
  flag: PageFlag,
  render: (template: string) => string,
  surroundings: Surroundings,
): Promise<Done> {
  if (!workspace && flag === true)
    return refuse(
      `outside of a git repository the page has no place of its own: name a file, as in --html ${kind}.html`,
    )
  const template = await pageTemplate(surroundings)
  if (!template.ok) return template
  const own = workspace ? join(workspace.folder.reports, `${name}.${kind}.html`) : ''
  return writePage(render(template.value), flag, own, surroundings)
}

export async function writeText(text: string, file: string, surroundings: Surroundings): Promise<Done> {
  if (file === '-') {
    surroundings.out.write(text.endsWith('\n') ? text : `${text}\n`)
    return EXIT.done
  }
  const trouble = await writeInto({ file, cwd: surroundings.cwd, isOver: true }, text)
  if (trouble) return refuse(trouble)
  return printLines([resolve(surroundings.cwd, file)], surroundings)
}

export type Target = { file: string; cwd: string; isOver: boolean }

/** Creates the folder, too. Returns null on success. */
export async function writeInto({ file, cwd, isOver }: Target, text: string): Promise<Problem | null> {
  const path = resolve(cwd, file)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: isOver ? 'w' : 'wx' })
    return null
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && syscall === 'open')
      return problem('is there already: name another file, or remove it', { file })
    return problem(`cannot be written: ${message}. Name another file`, { file })
  }
}

export function openFile(path: string, { env, err }: Pick<Surroundings, 'env' | 'err'>): void {
  const program = env.BROWSER || (process.platform === 'darwin' ? 'open' : 'xdg-open')
  const child = spawn(program, [path], { env, stdio: 'ignore', detached: true })
  child.on('error', (error) => err.write(`${program} could not be started: ${error.message}. Set $BROWSER\n`))
  child.unref()
}

/**
 * Opens a page that only this user can read and that redirects to `url`: everybody on the machine can read the arguments of a
 * process, which would include the code of the login link.
 */
export async function openBrowser(url: string, home: string, surroundings: Surroundings): Promise<void> {
  const page = join(home, 'server', 'open.html')
  await mkdir(join(home, 'server'), { recursive: true })
  const text = `<!doctype html><meta http-equiv="refresh" content="0;url=${url}"><title>Espalier</title>\n`
  await writeFile(page, text, { mode: 0o600 })
  openFile(page, surroundings)
}
