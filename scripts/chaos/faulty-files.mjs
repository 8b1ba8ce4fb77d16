// Loaded into an engine by NODE_OPTIONS: now and then a file operation below ESPALIER_CHAOS_BELOW fails, with some error
// of the system.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { constants } from 'node:os'

const { ESPALIER_CHAOS_BELOW: below = '/nowhere', ESPALIER_CHAOS_SHARE: share = '0' } = process.env
const CODES = [
  'EACCES',
  'EPERM',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EIO',
  'EBUSY',
  'ESTALE',
  'EAGAIN',
  'ENOSPC',
  'EROFS',
  'EINTR',
]
const SYNC = [
  'appendFileSync',
  'copyFileSync',
  'mkdirSync',
  'openSync',
  'readFileSync',
  'readdirSync',
  'renameSync',
  'rmSync',
  'writeFileSync',
]
const ASYNC = ['copyFile', 'link', 'lstat', 'mkdir', 'open', 'readFile', 'readdir', 'rename', 'rm', 'writeFile']

function patch(target, names, fail) {
  for (const name of names) {
    const real = target[name]
    target[name] = (...args) => {
      const [path] = args
      if (typeof path !== 'string' || !path.startsWith(below) || Math.random() >= Number(share))
        return real.apply(target, args)
      const code = CODES[Math.floor(Math.random() * CODES.length)]
      const errno = -constants.errno[code]
      return fail(Object.assign(new Error(`${code}: made up, ${name} '${path}'`), { code, errno, syscall: name, path }))
    }
  }
}

patch(fs, SYNC, (error) => {
  throw error
})
patch(fs.promises, ASYNC, (error) => Promise.reject(error))
syncBuiltinESMExports()
