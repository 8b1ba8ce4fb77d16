// Tells a person that a run is over: the bell of the terminal, a notification of the desktop, a command of their own.
//
// Properties: nothing here is awaited or can fail the run; started programs do not share our output, and may
// outlive this process. The text comes from plans and agents: it is passed as arguments and variables, never as code.
import { spawn } from 'node:child_process'
import type { Settings } from '../../config.ts'
import { safeLine } from '../../text/safe.ts'
import type { Surroundings } from '../surroundings.ts'

export type Notice = { run: string; status: string; branch: string; text: string; cwd: string }

type Place = Pick<Surroundings, 'err' | 'env'>

export function notify(notice: Notice, { bell, desktop, command }: Settings['notify'], place: Place): void {
  if (bell && place.err.isTTY) place.err.write('\x07')
  const title = `espalier: ${notice.run} ${notice.status}`
  if (desktop) start(desktopCommand(title, safeLine(notice.text)), place, notice.cwd, place.env)
  if (command !== null) start(['/bin/sh', '-c', command], place, notice.cwd, { ...place.env, ...variables(notice) })
}

function variables({ run, status, branch, text }: Notice): Record<string, string> {
  return {
    ESPALIER_RUN: run,
    ESPALIER_RUN_STATUS: status,
    ESPALIER_RUN_BRANCH: branch,
    ESPALIER_RUN_SUMMARY: safeLine(text),
  }
}

function desktopCommand(title: string, text: string): string[] {
  if (process.platform === 'darwin') return ['osascript', '-e', APPLE_SCRIPT, title, text]
  // Desktops read the text as markup.
  const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return ['notify-send', '--app-name=espalier', '--', title, plain]
}

const APPLE_SCRIPT = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run'

function start([program = '', ...args]: string[], { err }: Place, cwd: string, env: Surroundings['env']): void {
  try {
    const child = spawn(program, args, { cwd, env, stdio: 'ignore', detached: true })
    child.on('error', ({ message }) => err.write(`no notification: ${program} could not be started (${message})\n`))
    child.unref()
  } catch (error) {
    err.write(`no notification: ${program} could not be started (${(error as Error).message})\n`)
  }
}
