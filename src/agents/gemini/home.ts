// A home folder for the Gemini CLI, which takes MCP servers only from its user's settings file, or from files that root
// owns. All but that file are links to its user's: a login that is renewed, extensions, and conversations, which are
// found where they always are.
import { join } from 'node:path'
import { namesIn, textIn } from '../../files/if-there.ts'
import type { Environment, Invocation } from '../agent.ts'
import { objectAt } from '../json-line.ts'
import { type McpServer, mcpServers, settingsIn } from '../mcp-server.ts'

export function geminiFolder({ GEMINI_CLI_HOME, HOME }: Environment): string {
  return join(GEMINI_CLI_HOME || (HOME ?? '/'), FOLDER)
}

export function homeWithServer(mcp: McpServer): Pick<Invocation, 'env' | 'files' | 'links'> {
  const theirs = geminiFolder(mcp.environment)
  const known = settingsIn(textIn(join(theirs, SETTINGS)) || '{}')
  if (!known) return { env: {} }
  const servers = { ...objectAt(known, 'mcpServers'), ...objectAt(mcpServers(mcp), 'mcpServers') }
  const home = join(mcp.folder, 'home')
  const linked = namesIn(theirs).filter((name) => name !== SETTINGS && !name.startsWith(REGISTRY))
  const inFolder = [...new Set([...MADE, ...linked])].map((name) => {
    return { path: join(home, FOLDER, name), target: join(theirs, name), isFolder: MADE.includes(name) }
  })
  const parent = join(theirs, '..')
  const beside = namesIn(parent).filter((name) => BESIDE.includes(name))
  return {
    env: { GEMINI_CLI_HOME: home },
    files: [{ path: join(home, FOLDER, SETTINGS), text: JSON.stringify({ ...known, mcpServers: servers }) }],
    links: [...inFolder, ...beside.map((name) => ({ path: join(home, name), target: join(parent, name) }))],
  }
}

const FOLDER = '.gemini'
const SETTINGS = 'settings.json'
/** Replaced and not written to, so a link would not stay one; without it the program goes by `MADE`. */
const REGISTRY = 'projects.json'
/** Conversations, and notes on projects: there from the first start on. */
const MADE = ['tmp', 'history']
/** Files it looks for in the home folder itself. */
const BESIDE = ['.agents', '.env']
