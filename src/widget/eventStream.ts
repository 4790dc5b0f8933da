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
 * Listens to server-sent events until it is stopped. `EventSource` gives up for good when it is answered with anything but 200 (a proxy
 * whose server starts anew), and all of them come back after the same three seconds; this opens it again itself, from the last sequence
 * number (the event's id) on, with growing random waits.
 * @returns what stops it
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
