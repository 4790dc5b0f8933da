import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const TICKS = 100

/** @returns seconds of processor time that a process and those that it started have used (Linux, /proc) */
export function cpuSeconds(pid: number): number {
  return [pid, ...descendants(pid)].reduce((sum, id) => sum + ownSeconds(id), 0)
}

/** @returns MB in memory, and open files and sockets of a process (Linux, /proc) */
export function sizeOf(pid: number): { megabytes: number; handles: number } {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { megabytes: Number(kilobytes) / 1_000, handles: readdirSync(`/proc/${pid}/fd`).length }
}

/** @returns the processes of this name that a process itself has started */
export const childrenOf = (pid: number, name: string): number[] =>
  processes().filter((id) => {
    const stat = statOf(id)
    return stat?.parent === pid && stat.name === name
  })

function descendants(pid: number): number[] {
  const own = processes().filter((id) => statOf(id)?.parent === pid)
  return [...own, ...own.flatMap(descendants)]
}

const processes = (): number[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)

function ownSeconds(pid: number): number {
  return (statOf(pid)?.ticks ?? 0) / TICKS
}

/** @returns null if the process has ended */
function statOf(pid: number): { name: string; parent: number; ticks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = text.lastIndexOf(')')
    const fields = text.slice(end + 2).split(' ')
    return {
      name: text.slice(text.indexOf('(') + 1, end),
      parent: Number(fields[1]),
      // its own, and those of its children that have ended
      ticks: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
    }
  } catch {
    return null
  }
}
