// Whether a process holds a kernel lock on a file: flock(2), as `flock plan.json.lock my-script` and Python's filelock take, or
// fcntl(2). Node can neither take nor ask for one, but Linux lists all of them. Elsewhere nobody is found.
import { readFile, stat } from 'node:fs/promises'

export async function isLockedByOthers(path: string): Promise<boolean> {
  try {
    const { dev, ino } = await stat(path, { bigint: true })
    const locks = await readFile('/proc/locks', 'utf8')
    return locks.split('\n').some((line) => line.split(' ').includes(`${hex(major(dev))}:${hex(minor(dev))}:${ino}`))
  } catch {
    return false
  }
}

function major(device: bigint): bigint {
  return ((device >> 8n) & 0xfffn) | ((device >> 32n) & 0xfffff000n)
}

function minor(device: bigint): bigint {
  return (device & 0xffn) | ((device >> 12n) & 0xffffff00n)
}

function hex(number: bigint): string {
  return number.toString(16).padStart(2, '0')
}
