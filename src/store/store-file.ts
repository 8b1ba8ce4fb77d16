import { statSync } from 'node:fs'
import { isPostgresUrl } from './postgres/place.ts'

/** 0: it is not there. Another number than before: another one has been put in its place. One on Postgres is never replaced so. */
export function storeInode(url: string): number {
  return isPostgresUrl(url) ? ON_POSTGRES : (statSync(url, { throwIfNoEntry: false })?.ino ?? 0)
}

/** Whether there may be runs in it. Of one on Postgres only the server knows. */
export function storeExists(url: string): boolean {
  try {
    return storeInode(url) !== 0
  } catch {
    return false
  }
}

/** `inode`: what it was. Where it may not be looked at, nobody knows. */
export function isReplaced(url: string, inode: number): boolean {
  try {
    return storeInode(url) !== inode
  } catch {
    return false
  }
}

const ON_POSTGRES = 1
