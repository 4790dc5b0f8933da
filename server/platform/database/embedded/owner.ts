import { chmod, chown, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The account that runs PostgreSQL if Parley runs as root, which PostgreSQL refuses. */
export interface Owner {
  uid: number
  gid: number
}

/** `nobody` on all common systems; the number works without an entry in /etc/passwd. */
const NOBODY: Owner = { uid: 65534, gid: 65534 }

/** @returns the account that must run PostgreSQL and own its data; null: the one that runs Parley */
export function databaseOwner(): Owner | null {
  return process.getuid?.() === 0 ? NOBODY : null
}

/** @returns whether this account can open `path`: search every folder above it and read the last part */
export async function canReach(path: string, owner: Owner): Promise<boolean> {
  if (!(await allows(path, owner, 5))) return false
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!(await allows(folder, owner, 1))) return false
    if (folder === dirname(folder)) return true
  }
}

async function allows(path: string, owner: Owner, wanted: number): Promise<boolean> {
  const { uid, gid, mode } = await stat(path)
  const granted = uid === owner.uid ? mode >> 6 : gid === owner.gid ? mode >> 3 : mode
  return (granted & wanted) === wanted
}

/** PostgreSQL refuses a data folder that others may read, or that another account owns. */
export async function giveTo(path: string, owner: Owner | null): Promise<void> {
  await chmod(path, 0o700)
  if (owner) await chown(path, owner.uid, owner.gid)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await giveTo(join(path, entry.name), owner)
    else if (owner) await chown(join(path, entry.name), owner.uid, owner.gid)
  }
}
