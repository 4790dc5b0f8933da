import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Bus, Listener } from '../../platform/bus/bus'
import { createPublications } from './publications'

/** What a process hears of others, and what it tells them. */
function createBus() {
  const told: string[] = []
  const heard = new Map<string, Listener>()
  const bus = {
    publish: (channel: string, message: Uint8Array) => void told.push(`${channel} ${Buffer.from(message)}`),
    subscribe(channel: string, listener: Listener) {
      heard.set(channel, listener)
      return () => void heard.delete(channel)
    },
  } as unknown as Bus
  return { bus, told, heard }
}

it('tells those who listen, here and in other processes, what was published, until they leave', () => {
  const { bus, told, heard } = createBus()
  const publications = createPublications(bus)
  const said: string[] = []
  const leave = publications.subscribe('7', (what) => said.push(what))
  publications.publish('7', 'flow')
  publications.publish('8', 'flow')
  heard.get('web:7')?.hear(Buffer.from('web'), 'another process')
  expect(said).toEqual(['flow', 'web'])
  expect(told).toEqual(['web:7 flow', 'web:8 flow'])
  leave()
  expect(heard.size).toBe(0)
  publications.publish('7', 'web')
  expect(said).toHaveLength(2)
})

it('lets other work in between when thousands listen', async () => {
  const publications = createPublications(createBus().bus)
  let told = 0
  for (let n = 0; n < 10_000; n++) publications.subscribe('7', () => told++)
  publications.publish('7', 'flow')
  let turns = 0
  let before = told
  while (told < 10_000 && turns < 1_000) {
    await setImmediate()
    turns++
    expect(told - before).toBeLessThanOrEqual(200)
    before = told
  }
  expect(told).toBe(10_000)
  expect(turns).toBeGreaterThan(20)
})
