import { spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { ApiError } from '../errors'

/** The operator's program that looks for viruses: words, of which `{}` stands for the file's path. */
export interface ScanSettings {
  command: readonly string[]
  /** in ms */
  patience: number
}

const PATH = '{}'
/** As `clamdscan` says it. */
const CLEAN = 0
const FOUND = 1
/** What the program says, for the log. */
const LONGEST_WORDS = 500
/** Scans at once in one process, and uploads that wait for one, each in a file. */
const AT_ONCE = 4
const MOST_WAITING = 200

/**
 * Has a program look at a file, without a shell and without our environment, which holds keys. Without `{}` in its
 * words it reads the file from its standard input.
 * @throws ApiError `unsafe_file` if it ends with 1; `scan_failed` for any other end but 0, and when it takes too long
 */
export async function scanFile({ command, patience }: ScanSettings, path: string): Promise<void> {
  await takeTurn()
  try {
    const { code, said } = await run(command, path, patience)
    if (code === CLEAN) return
    const cause = new Error(`The command of SCAN_COMMAND ended with ${code}: ${said}`)
    throw new ApiError(code === FOUND ? 'unsafe_file' : 'scan_failed', { cause })
  } finally {
    running--
    waiting.shift()?.()
  }
}

let running = 0
const waiting: (() => void)[] = []
async function takeTurn(): Promise<void> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MOST_WAITING) throw new ApiError('overloaded')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  running++
}

/** @returns its exit code, or the signal or error that it ended by */
async function run([program = '', ...words]: readonly string[], path: string, patience: number) {
  const file = await open(path)
  try {
    const child = spawn(
      program,
      words.map((word) => (word === PATH ? path : word)),
      // a group of its own, so that what it starts ends with it
      { stdio: [file.fd, 'pipe', 'pipe'], env: { PATH: process.env.PATH }, detached: true },
    )
    let said = ''
    const hear = (chunk: string) => {
      said = (said + chunk).slice(0, LONGEST_WORDS)
    }
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', hear)
    let late = false
    const timer = setTimeout(() => {
      late = true
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, patience)
    const code = await new Promise<number | string>((resolve) => {
      child.on('error', (error) => resolve(error.message))
      child.on('exit', (status, signal) => resolve(late ? `nothing in ${patience} ms` : (status ?? String(signal))))
    })
    clearTimeout(timer)
    for (const stream of [child.stdout, child.stderr]) stream?.destroy()
    return { code, said: said.trim() }
  } finally {
    await file.close()
  }
}
