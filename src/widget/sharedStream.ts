import { type EventStream, openEventStream } from './eventStream'

type Told = { event: string; data: unknown } | { connected: boolean } | { joins: number }

/**
 * One event stream for all tabs with the same `name`: the tab that holds a lock opens it and forwards the events. When
 * it is closed, another tab takes over. If the browser has no locks, each tab has its own stream.
 * @returns a function that stops it
 */
export function openSharedStream(name: string, stream: EventStream): () => void {
  if (!navigator.locks || typeof BroadcastChannel === 'undefined') return openEventStream(stream)
  let leave = join(name, stream)
  // a page that is put away for later must hold neither lock nor connection, or it is not kept
  const putAway = () => leave()
  const takeBack = ({ persisted }: PageTransitionEvent) => {
    if (persisted) leave = join(name, stream)
  }
  addEventListener('pagehide', putAway)
  addEventListener('pageshow', takeBack)
  return () => {
    removeEventListener('pagehide', putAway)
    removeEventListener('pageshow', takeBack)
    leave()
  }
}

function join(name: string, { addressOf, after, on, onConnected }: EventStream): () => void {
  const channel = new BroadcastChannel(name)
  const gone = new AbortController()
  const { signal } = gone
  const tell = (told: Told) => channel.postMessage(told)
  let stop: (() => void) | null = null

  function lead(from: number): void {
    stop?.()
    stop = openEventStream({
      addressOf,
      after: from,
      on: Object.fromEntries(
        Object.entries(on).map(([event, take]) => [
          event,
          (data: unknown) => {
            take(data)
            tell({ event, data })
          },
        ]),
      ),
      onConnected(connected) {
        onConnected(connected)
        tell({ connected })
      },
    })
  }
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if ('event' in data) on[data.event]?.(data.data)
    else if ('connected' in data) onConnected(data.connected)
    // what was said between its look and its coming, that tab has not heard
    else if (stop) lead(data.joins)
  }
  tell({ joins: after })
  const own = () => {
    // without a lock for whatever reason: a stream of its own
    if (!signal.aborted) stop ??= openEventStream({ addressOf, after, on, onConnected })
  }
  try {
    navigator.locks
      .request(name, { signal }, () => {
        lead(after)
        return new Promise<void>((done) => signal.addEventListener('abort', () => done()))
      })
      .catch(own)
  } catch {
    own()
  }
  return () => {
    gone.abort()
    stop?.()
    channel.close()
  }
}
