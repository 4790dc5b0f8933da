import type { ServerResponse } from 'node:http'

/** Writes to open event streams, so that proxies between do not take them for dead. */
export interface Heartbeats {
  /** Begins with a stream; it leaves by itself when it closes. */
  keepAlive(raw: ServerResponse): void
}

/** Proxies commonly close what was silent for 60 s. */
const EVERY_S = 25
const BEAT = Buffer.from(': still here\n\n')

/** One timer for all streams, which are spread over the seconds as they come: a timer for each costs ten thousand. */
export function createHeartbeats(): Heartbeats {
  const places = Array.from({ length: EVERY_S }, () => new Set<ServerResponse>())
  let second = 0
  let open = 0
  let timer: NodeJS.Timeout | undefined

  function beat(): void {
    second = (second + 1) % EVERY_S
    // whoever has unread bytes is not silent
    for (const raw of places[second] ?? []) if (!raw.writableEnded && !raw.writableNeedDrain) raw.write(BEAT)
  }

  return {
    keepAlive(raw) {
      const place = places[second]
      place?.add(raw)
      open++
      timer ??= setInterval(beat, 1_000).unref()
      raw.on('close', () => {
        place?.delete(raw)
        open--
        if (open > 0) return
        clearInterval(timer)
        timer = undefined
      })
    },
  }
}
