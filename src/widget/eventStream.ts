import { createBackoff } from './backoff'

export interface EventStream {
  /** where what comes after a sequence number is streamed */
  addressOf: (after: number) => string
  /** the last sequence number that is known */
  after: number
  /** by the name of the event, told what stands in its data */
  on: Readonly<Record<string, (data: unknown) => void>>
  onConnected: (connected: boolean) => void
}

/**
 * Listens to server-sent events until it is stopped. `EventSource` gives up after any response but 200 (from a proxy
 * whose server restarts, for instance), and all clients reconnect after the same three seconds. This one reconnects
 * itself, from the last sequence number (the event's id) on, after growing random waits.
 * @returns a function that stops it
 */
export function openEventStream({ addressOf, after, on, onConnected }: EventStream): () => void {
  const backoff = createBackoff()
  let last = after
  let source = open()

  function open(): EventSource {
    const opened = new EventSource(addressOf(last), { withCredentials: true })
    for (const [name, take] of Object.entries(on)) {
      opened.addEventListener(name, (event) => {
        take(JSON.parse(event.data))
        if (/^\d+$/.test(event.lastEventId)) last = Number(event.lastEventId)
      })
    }
    opened.addEventListener('open', () => {
      backoff.reset()
      onConnected(true)
    })
    opened.addEventListener('error', () => {
      opened.close()
      onConnected(false)
      backoff.again(() => {
        source = open()
      })
    })
    return opened
  }

  return () => {
    backoff.reset()
    source.close()
  }
}
