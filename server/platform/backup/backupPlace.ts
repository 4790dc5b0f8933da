import type { BackupOptions } from './makeBackup'
import type { Manifest } from './manifest'

export type NewBackup = Omit<BackupOptions, 'into'>

/** Where backups are: a folder, or a bucket. */
export interface BackupPlace {
  /** in messages */
  name: string
  /** @returns where it is, what it says of itself, and the names of older ones that were deleted beyond `keep` */
  make(given: NewBackup): Promise<{ folder: string; manifest: Manifest; deleted: string[] }>
  /** the oldest first */
  list(): Promise<{ name: string; manifest: Manifest }[]>
  /**
   * Works on a backup as a folder of this machine.
   * @param scratch an existing folder, for one that has to be loaded
   */
  during<Result>(name: string, scratch: string, work: (folder: string) => Promise<Result>): Promise<Result>
}
