import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export type TerminalInput = { type: 'line'; line: string } | { type: 'end' } | { type: 'timeout' }

/** ms; a longer timer would fire at once */
export const LONGEST_TIMER = 2 ** 31 - 1

export interface Lines {
  /** The next line; `timeout` if none comes within the seconds. A later line goes to the next call. */
  next(seconds?: number): Promise<TerminalInput>
  close(): void
}

/** Lines typed or piped in: none is lost, none is consumed before it is requested. */
export function readLines(input: Readable & { isTTY?: boolean }): Lines {
  const reader = createInterface({
    input,
    terminal: input.isTTY === true,
    output: input.isTTY ? process.stdout : undefined,
  })
  const waiting: string[] = []
  let over = false
  let tell: (() => void) | null = null
  reader.on('line', (line) => {
    waiting.push(line)
    tell?.()
  })
  reader.on('close', () => {
    over = true
    tell?.()
  })
  // Ctrl-C ends the conversation like Ctrl-D
  reader.on('SIGINT', () => reader.close())
  return {
    async next(seconds) {
      if (waiting.length === 0 && !over) {
        await new Promise<void>((resolve) => {
          const timer =
            seconds === undefined ? undefined : setTimeout(resolve, Math.min(seconds * 1_000, LONGEST_TIMER))
          tell = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        tell = null
      }
      const line = waiting.shift()
      if (line !== undefined) return { type: 'line', line }
      return { type: over ? 'end' : 'timeout' }
    },
    close: () => reader.close(),
  }
}
