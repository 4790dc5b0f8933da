/**
 * What the processes of one installation tell each other. Nothing that matters rests on it: a message may be lost, and whoever listens is
 * told to look for himself whenever that may have happened. The database holds the truth.
 */
export interface Bus {
  /** Tells the other processes, not this one; never waits, never throws. */
  publish(channel: string, message: Uint8Array): void
  /** @returns unsubscribe */
  subscribe(channel: string, listener: Listener): () => void
  close(): Promise<void>
}

export interface Listener {
  /** what another process said */
  hear(message: Uint8Array, from: string): void
  /** Something may have been said unheard. Called when listening begins, when it could be resumed, and from time to time. */
  look(): unknown
  /** a process is not heard any more: it ended, or it is beyond reach */
  lose?(process: string): void
}
