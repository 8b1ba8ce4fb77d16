// Parts of the user's git configuration that change what we do.
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Keys in lower case, as git prints them; the last value wins. */
export type UserConfig = ReadonlyMap<string, string>

export function parseConfig(output: Buffer): UserConfig {
  const config = new Map<string, string>()
  for (const record of output.toString('utf8').split('\0')) {
    if (record === '') continue
    const end = record.indexOf('\n')
    // A key without `=` means true.
    if (end < 0) config.set(record, 'true')
    else config.set(record.slice(0, end), record.slice(end + 1))
  }
  return config
}

export function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(true|yes|on|[1-9]\d*)$/i.test(value)
}

/** Settings that decide how a file looks on disk. A checkout of ours must look like the user's. */
const CHECKOUT_KEYS = [
  'filemode',
  'symlinks',
  'ignorecase',
  'precomposeunicode',
  'autocrlf',
  'eol',
  'protecthfs',
  'protectntfs',
] as const
export type CheckoutSettings = Partial<Record<(typeof CHECKOUT_KEYS)[number], string>>

export function checkoutSettings(config: UserConfig): CheckoutSettings {
  const settings: CheckoutSettings = {}
  for (const key of CHECKOUT_KEYS) {
    const value = config.get(`core.${key}`)
    if (value !== undefined) settings[key] = value
  }
  return settings
}

/** A file of git in the home folder that applies unless the configuration names another. */
export async function globalFile(config: UserConfig, key: string, name: string): Promise<string> {
  const home = process.env.HOME ?? homedir()
  const named = config.get(key)?.replace(/^~(?=\/)/, home)
  const path = named ?? join(process.env.XDG_CONFIG_HOME || join(home, '.config'), 'git', name)
  if (!isAbsolute(path)) return ''
  return readFile(path, 'utf8').catch(() => '')
}

export function configLine(key: string, value: string): string {
  const quoted = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  return `\t${key} = "${quoted}"\n`
}
