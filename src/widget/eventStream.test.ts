import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openEventStream } from './eventStream'

/** The browser's, as far as it is asked: it gives up for good when a proxy answers in the server's place. */
class Source extends EventTarget {
  static opened: Source[] = []
  closed = false
  constructor(readonly url: string) {
    super()
    Source.opened.push(this)
  }
  close() {
    this.closed = true
  }
  says(seq: number) {
    this.dispatchEvent(new MessageEvent('update', { data: JSON.stringify({ seq }), lastEventId: String(seq) }))
  }
}

beforeEach(() => {
  Source.opened = []
  vi.useFakeTimers()
  vi.stubGlobal('EventSource', Source)
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function openStream() {
  const told: unknown[] = []
  const connected: boolean[] = []
  const stop = openEventStream({
    addressOf: (after) => `/events?after=${after}`,
    after: 3,
    on: { update: (data) => told.push(data) },
    onConnected: (now) => connected.push(now),
  })
  return { told, connected, stop }
}
const last = () => Source.opened.at(-1) as Source
const fail = () => last().dispatchEvent(new Event('error'))

test('a stream that is refused is opened again from the last number that is known, after growing random waits', () => {
  const { told, connected, stop } = openStream()
  last().dispatchEvent(new Event('open'))
  last().says(5)
  for (const wait of [500, 1_000, 2_000]) {
    const before = Source.opened.length
    fail()
    // the browser's own attempts end: they all come back after the same time, or never
    expect(last().closed).toBe(true)
    vi.advanceTimersByTime(wait - 1)
    expect(Source.opened).toHaveLength(before)
    vi.advanceTimersByTime(1)
    expect(Source.opened).toHaveLength(before + 1)
  }
  last().dispatchEvent(new Event('open'))
  last().says(6)
  fail()
  // it was open meanwhile: the first wait is a short one again
  vi.advanceTimersByTime(500)
  expect(Source.opened.map(({ url }) => url)).toEqual([3, 5, 5, 5, 6].map((after) => `/events?after=${after}`))
  expect(told).toEqual([{ seq: 5 }, { seq: 6 }])
  expect(connected).toEqual([true, false, false, false, true, false])
  stop()
})

test('a stream that was stopped is not opened again', () => {
  const { stop } = openStream()
  fail()
  stop()
  vi.runAllTimers()
  expect(Source.opened).toHaveLength(1)
})
