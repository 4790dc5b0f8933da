import { copyFile, open, rename, rm, stat, statfs, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A log that is larger becomes an old one. */
const LARGEST = 5 << 20
/** How many old ones are kept: `postgres.log.1` is the youngest. */
const KEPT = 3
const LOOK_EVERY = 60 * 60_000
/** Of a server that fails, nobody needs more than its last words. */
const LAST_WORDS = 64 << 10
const SCARCE = 1 << 20

export interface ServerLogFile {
  /** for a child's output; the child has its own copy once it runs */
  fd: number
  /** what was written since it was opened */
  read: () => Promise<string>
  /** closes this process' copy of `fd` */
  release: () => Promise<void>
  /** ends the looking after its size */
  close: () => void
}

/** Opens the log of the embedded server: earlier starts' words stay, in files that are bounded in size and number. */
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

/** The server keeps the file open, and appends: so it is copied and emptied, not renamed. @returns whether it was too large */
async function rotate(path: string, largest: number): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (!found || found.size <= largest) return false
  await rm(`${path}.${KEPT}`, { force: true })
  for (let age = KEPT - 1; age > 0; age--) await rename(`${path}.${age}`, `${path}.${age + 1}`).catch(() => {})
  // a full disk takes no copy; what is there is worth less than room
  await copyFile(path, `${path}.1`).catch(() => rm(`${path}.1`, { force: true }))
  await truncate(path, 0)
  return true
}

/** In the place of the log's words. */
export const FOLDER_GONE = 'The data folder is gone'

/** Whoever removed the folder under a running server is told, where an error of reading would end the process without a word of use. */
function explainMissing(error: NodeJS.ErrnoException): string {
  return error.code === 'ENOENT' ? FOLDER_GONE : `Its log can't be read: ${error.message}`
}

/** A disk that is full takes no last words either. */
async function readFrom(path: string, begin: number): Promise<string> {
  const { bavail, bsize } = await statfs(dirname(path))
  if (bavail * bsize < SCARCE) return 'No space left on device'
  const log = await open(path)
  try {
    const { size } = await log.stat()
    const from = Math.max(begin, size - LAST_WORDS)
    const { buffer, bytesRead } = await log.read(
      Buffer.alloc(Math.max(0, size - from)),
      0,
      Math.max(0, size - from),
      from,
    )
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await log.close()
  }
}
