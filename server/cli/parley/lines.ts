import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export type Heard = { type: 'line'; line: string } | { type: 'end' } | { type: 'timeout' }

/** ms; a longer timer would go off at once */
export const LONGEST_TIMER = 2 ** 31 - 1

export interface Lines {
  /** The next line; `timeout` when none comes within the seconds. A line that comes later is for whoever asks next. */
  next(seconds?: number): Promise<Heard>
  close(): void
}

/** Lines as somebody types them, or as they are piped in: none is lost, none is read before it is asked for. */
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
  // Ctrl-C ends the conversation as Ctrl-D does
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
