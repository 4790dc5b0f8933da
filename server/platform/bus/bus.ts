/**
 * Messages between the processes of one installation. Only hints: messages may be lost, and subscribers are then told
 * to check the database, which holds the truth.
 */
export interface Bus {
  /** Sends to the other processes, not to this one. Never waits, never throws. */
  publish(channel: string, message: Uint8Array): void
  /** @returns unsubscribe */
  subscribe(channel: string, listener: Listener): () => void
  close(): Promise<void>
}

export interface Listener {
  /** a message of another process */
  hear(message: Uint8Array, from: string): void
  /** Messages may have been missed. Called when the subscription starts, after a reconnect, and periodically. */
  look(): unknown
  /** a process ended or is unreachable */
  lose?(process: string): void
}
