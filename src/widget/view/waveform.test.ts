import { afterEach, expect, test, vi } from 'vitest'
import { peaksOf, readWaveform } from './waveform'

afterEach(() => vi.unstubAllGlobals())
const read = () => readWaveform('/files/x', 4, new AbortController().signal)
const never = vi.fn(() => Promise.reject(new Error('nothing is decoded')))
class Decoder {
  decodeAudioData = never
}

test('a recording that says it is too large is not read', async () => {
  const pull = vi.fn()
  const body = new ReadableStream({ pull }, { highWaterMark: 0 })
  vi.stubGlobal('OfflineAudioContext', Decoder)
  vi.stubGlobal('fetch', async () => new Response(body, { headers: { 'content-length': '4000001' } }))
  expect(await read()).toBeNull()
  expect(pull).not.toHaveBeenCalled()
})

test('one that does not say so, or lies, is read no further than its bound, and not decoded', async () => {
  let sent = 0
  const cancel = vi.fn()
  const pull = (stream: ReadableStreamDefaultController<Uint8Array>) => {
    sent += 100_000
    stream.enqueue(new Uint8Array(100_000))
  }
  vi.stubGlobal('OfflineAudioContext', Decoder)
  vi.stubGlobal('fetch', async () => new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 })))
  expect(await read()).toBeNull()
  expect(sent).toBe(4_100_000)
  expect(cancel).toHaveBeenCalledOnce()
  expect(never).not.toHaveBeenCalled()
})

test('what no browser decodes has no shape', async () => {
  vi.stubGlobal('OfflineAudioContext', Decoder)
  vi.stubGlobal('fetch', async () => new Response('text'))
  expect(await read()).toBeNull()
})

test('the shape is the loudest of each part against the loudest of all', () => {
  expect(peaksOf(new Float32Array([0, 0.1, -0.5, 0.2, 0, 0, 0.25, 0]), 4)).toEqual([
    expect.closeTo(0.2),
    1,
    0,
    expect.closeTo(0.5),
  ])
  expect(peaksOf(new Float32Array(8), 4)).toEqual([0, 0, 0, 0])
})

test('an hour is looked at in as few places as a minute', () => {
  const looks = (length: number) => {
    let count = 0
    const samples = new Proxy(new Float32Array(0), {
      get(_, name) {
        if (name === 'length') return length
        count += 1
        return 0
      },
    })
    peaksOf(samples, 44)
    return count
  }
  expect(looks(3_600 * 22_050)).toBeLessThanOrEqual(looks(60 * 22_050) * 1.1)
})
