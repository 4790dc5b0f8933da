import { expect, it } from 'vitest'
import { createHostGate } from './hostGate'

/** A gate whose clock advances when somebody waits for it. */
function gateOf(options = {}) {
  let time = 0
  const log: string[] = []
  const sleep = async (ms: number) => {
    time += ms
  }
  const gate = createHostGate({ now: () => time, sleep, ...options })
  const call = (name: string) => async () => {
    log.push(`${name} at ${time}`)
  }
  return { gate, log, call, time: () => time }
}

it('lets one call begin at a time, with a pause after each, host by host', async () => {
  const { gate, log, call } = gateOf({ pause: 250 })
  await gate.enter('a', call('first'))
  await gate.enter('b', call('other'))
  await gate.enter('a', call('second'))
  await gate.enter('a', call('slow'), { delay: 3_000 })
  await gate.enter('a', call('last'))
  expect(log).toEqual(['first at 0', 'other at 0', 'second at 250', 'slow at 500', 'last at 3500'])
})

it('has two calls of a host under way at most, and goes on when one fails', async () => {
  const { gate } = gateOf({ pause: 0 })
  let busy = 0
  let most = 0
  const ends: (() => void)[] = []
  const call = async () => {
    most = Math.max(most, ++busy)
    await new Promise<void>((end) => ends.push(end))
    busy--
    throw new Error('it failed')
  }
  const calls = Array.from({ length: 5 }, () => gate.enter('a', call).catch(() => 'failed'))
  for (let n = 0; n < 5; n++) {
    await expect.poll(() => ends.length).toBeGreaterThan(n)
    ends[n]?.()
  }
  expect(await Promise.all(calls)).toEqual(Array(5).fill('failed'))
  expect(most).toBe(2)
})

it('leaves a host alone that asks for it, and whoever gave up waiting lets the next one go', async () => {
  const { gate, log, call } = gateOf({ pause: 0 })
  gate.rest('a', 4_000)
  await expect(gate.enter('a', call('cut'), { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  await gate.enter('a', call('later'))
  expect(log).toEqual(['later at 4000'])
})
