import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHeartbeats, type Heartbeats } from './createHeartbeats'

let heartbeats: Heartbeats
beforeEach(() => {
  vi.useFakeTimers()
  heartbeats = createHeartbeats()
})
afterEach(() => vi.useRealTimers())

function open() {
  const written: string[] = []
  const state = { writableEnded: false, writableNeedDrain: false, write: (part: unknown) => written.push(String(part)) }
  const raw = Object.assign(new EventEmitter(), state)
  heartbeats.keepAlive(raw as unknown as ServerResponse)
  return { raw, written }
}

test('an open stream is written to every 25 s, whenever it was opened', () => {
  const first = open()
  vi.advanceTimersByTime(7_000)
  const second = open()
  vi.advanceTimersByTime(18_000)
  expect([first, second].map(({ written }) => written)).toEqual([[': still here\n\n'], []])
  vi.advanceTimersByTime(7_000)
  expect(second.written).toHaveLength(1)
  vi.advanceTimersByTime(50_000)
  expect([first, second].map(({ written }) => written.length)).toEqual([3, 3])
})

test('a stream that has ended, or whose client does not read, is passed over', () => {
  const [ended, slow] = [open(), open()]
  ended.raw.writableEnded = true
  slow.raw.writableNeedDrain = true
  vi.advanceTimersByTime(60_000)
  expect([...ended.written, ...slow.written]).toEqual([])
  slow.raw.writableNeedDrain = false
  vi.advanceTimersByTime(25_000)
  expect(slow.written).toHaveLength(1)
})

test('no timer is left once all streams are closed, and one runs again for the next', () => {
  const streams = [open(), open()]
  for (const { raw } of streams) raw.emit('close')
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(60_000)
  expect(streams.flatMap(({ written }) => written)).toEqual([])
  const next = open()
  vi.advanceTimersByTime(25_000)
  expect(next.written).toHaveLength(1)
})
