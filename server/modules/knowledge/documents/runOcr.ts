import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'

/** Bytes that a page's text may have, and what the program says of a fault, for the log. */
const MOST_TEXT = 50_000
const MOST_WORDS = 500
/** From the usual 0 to 19: visitors' answers go first. */
const LOW = 10

/**
 * Has the operator's program (`OCR_COMMAND`) read a picture, without a shell and without our environment, which holds
 * keys. It reads a PNG from its standard input, and writes the text to its standard output.
 * @param patience in ms
 * @throws Error if it can't be run, ends with anything but 0, says too much, or takes too long; the signal's reason
 */
export async function runOcr(
  [program = '', ...words]: readonly string[],
  picture: Uint8Array,
  { patience, signal }: { patience: number; signal: AbortSignal },
): Promise<string> {
  signal.throwIfAborted()
  // a group of its own, so that what it starts ends with it; tesseract else takes all processors
  const env = { PATH: process.env.PATH, OMP_THREAD_LIMIT: '1' }
  const child = spawn(program, words, { stdio: 'pipe', env, detached: true })
  let fault: unknown = null
  const stop = (reason: unknown) => {
    fault ??= reason
    if (child.pid !== undefined) killGroup(child.pid)
    // held open by what left the group
    for (const stream of [child.stdout, child.stderr]) stream.destroy()
  }
  const aborted = () => stop(signal.reason)
  const timer = setTimeout(() => stop(new Error(`nothing in ${patience} ms`)), patience)
  signal.addEventListener('abort', aborted, { once: true })
  const text: Buffer[] = []
  let size = 0
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MOST_TEXT) stop(new Error(`more than ${MOST_TEXT} bytes of text`))
    else text.push(chunk)
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said = (said + chunk).slice(0, MOST_WORDS)
  })
  // it may end before it has read all
  child.stdin.on('error', () => undefined).end(picture)
  try {
    if (child.pid !== undefined) lower(child.pid)
    const code = await new Promise<number | string>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (status, by) => resolve(status ?? String(by)))
    })
    if (fault !== null) throw fault
    if (code !== 0) throw new Error(`ended with ${code}: ${said.trim()}`)
    return Buffer.concat(text).toString('utf8')
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', aborted)
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // it ended meanwhile
  }
}

function lower(pid: number): void {
  try {
    setPriority(pid, LOW)
  } catch {
    // it ended already
  }
}
