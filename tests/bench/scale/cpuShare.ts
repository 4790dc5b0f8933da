import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Limits each process to a share of a core (Linux's control groups, as root). On a machine with two cores it is what lets three
 * processes, a database and those who call them run without taking time from each other.
 */
export interface CpuShares {
  /** @param share of a core, 0 to 1. @throws if this account may not limit processes here */
  limit(pid: number, share: number): void
  /** lifts the limits; the processes have ended */
  remove(): Promise<void>
}

const PERIOD = 10_000
const ROOTS = [
  { root: '/sys/fs/cgroup/cpu', set: 'cpu.cfs_quota_us', text: (quota: number) => String(quota), period: true },
  { root: '/sys/fs/cgroup', set: 'cpu.max', text: (quota: number) => `${quota} ${PERIOD}`, period: false },
]

export function cpuShares(): CpuShares {
  const made: string[] = []
  return {
    limit(pid, share) {
      const { root, set, text, period } = ROOTS.find(({ root }) => isControlled(root)) ?? noControl()
      const folder = `${root}/parley-bench-${pid}`
      mkdirSync(folder, { recursive: true })
      made.push(folder)
      if (period) writeFileSync(`${folder}/cpu.cfs_period_us`, String(PERIOD))
      writeFileSync(`${folder}/${set}`, text(Math.round(share * PERIOD)))
      writeFileSync(`${folder}/cgroup.procs`, String(pid))
    },
    async remove() {
      for (const folder of made.splice(0)) await removeFolder(folder)
    },
  }
}

function isControlled(root: string): boolean {
  try {
    if (root.endsWith('/cpu')) return readFileSync(`${root}/cgroup.procs`).length > 0
    return readFileSync(`${root}/cgroup.subtree_control`, 'utf8').includes('cpu')
  } catch {
    return false
  }
}

function noControl(): never {
  throw new Error('Processes can’t be limited to a share of a core here: it takes Linux, control groups and root.')
}

/** A group is in use for a moment after its last process has ended. */
async function removeFolder(folder: string): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      return rmdirSync(folder)
    } catch (error) {
      if (left === 0) throw error
      await wait(20)
    }
  }
}
