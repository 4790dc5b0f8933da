import { createReadStream } from 'node:fs'
import { copyFile, open, rename, rm, stat, statfs, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'

/** A larger log is rotated. */
const LARGEST = 5 << 20
/** Number of rotated logs: `postgres.log.1` is the latest. */
const KEPT = 3
const LOOK_EVERY = 60 * 60_000
/** How much of a failed server's output is read. */
const LAST_WORDS = 64 << 10
const SCARCE = 1 << 20

export interface ServerLogFile {
  /** for a child's output; the child has its own copy once it runs */
  fd: number
  /** what was written since it was opened */
  read: () => Promise<string>
  /** closes this process' copy of `fd` */
  release: () => Promise<void>
  /** ends the periodic size check */
  close: () => void
}

/** Opens the embedded server's log. Earlier output is kept in files bounded in size and number. */
export async function openServerLog(path: string, largest = LARGEST): Promise<ServerLogFile> {
  await rotate(path, largest)
  const log = await open(path, 'a', 0o600)
  let begin = (await log.stat()).size
  const timer = setInterval(async () => {
    if (await rotate(path, largest).catch(() => false)) begin = 0
  }, LOOK_EVERY).unref()
  return {
    fd: log.fd,
    read: () => readFrom(path, begin).catch(explainMissing),
    release: () => log.close(),
    close: () => clearInterval(timer),
  }
}

/**
 * The server keeps the file open and appends, so it is copied and truncated, not renamed. @returns whether it was too
 * large
 */
async function rotate(path: string, largest: number): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (!found || found.size <= largest) return false
  await rm(`${path}.${KEPT}`, { force: true })
  for (let age = KEPT - 1; age > 0; age--) await rename(`${path}.${age}`, `${path}.${age + 1}`).catch(() => {})
  // a full disk can't hold a copy: dropping the text makes room
  await copyFile(path, `${path}.1`).catch(() => rm(`${path}.1`, { force: true }))
  await truncate(path, 0)
  return true
}

/** Stands in for the log's text. */
export const FOLDER_GONE = 'The data folder is gone'

/**
 * A folder that was removed under a running server: an unhandled read error would end the process without explanation.
 */
function explainMissing(error: NodeJS.ErrnoException): string {
  return error.code === 'ENOENT' ? FOLDER_GONE : `Its log can't be read: ${error.message}`
}

/** On a full disk there is no output to read either. */
async function readFrom(path: string, begin: number): Promise<string> {
  const { bavail, bsize } = await statfs(dirname(path))
  if (bavail * bsize < SCARCE) return 'No space left on device'
  const { size } = await stat(path)
  const from = Math.max(begin, size - LAST_WORDS)
  return from < size ? text(createReadStream(path, { start: from, end: size - 1 })) : ''
}
