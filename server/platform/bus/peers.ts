/** The other live processes: those that sent a message recently. */
export interface Peers {
  seen(process: string): void
  leaves(process: string): void
  /** Removes those that have been silent for too long. */
  judge(): void
}

interface PeersOptions {
  patience: number
  onMet: (process: string) => void
  onLost: (process: string) => void
  now?: () => number
}

export function createPeers({ patience, onMet, onLost, now = () => performance.now() }: PeersOptions): Peers {
  const seenAt = new Map<string, number>()
  const leaves = (process: string) => {
    if (seenAt.delete(process)) onLost(process)
  }
  return {
    seen(process) {
      const isNew = !seenAt.has(process)
      seenAt.set(process, now())
      if (isNew) onMet(process)
    },
    leaves,
    judge() {
      for (const [process, at] of seenAt) if (now() - at > patience) leaves(process)
    },
  }
}
