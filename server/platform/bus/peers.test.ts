import { beforeEach, expect, test } from 'vitest'
import { createPeers } from './peers'

let now: number
let told: string[]
beforeEach(() => {
  now = 0
  told = []
})
const meet = () =>
  createPeers({
    patience: 10,
    onMet: (process) => told.push(`met ${process}`),
    onLost: (process) => told.push(`lost ${process}`),
    now: () => now,
  })

test('who speaks is met once, and again only after it was lost', () => {
  const peers = meet()
  for (const process of ['a', 'b', 'a']) peers.seen(process)
  expect(told).toEqual(['met a', 'met b'])
  peers.leaves('a')
  peers.seen('a')
  expect(told.slice(2)).toEqual(['lost a', 'met a'])
})

test('who was not met, or has left already, can’t be lost', () => {
  const peers = meet()
  peers.leaves('a')
  peers.seen('a')
  peers.leaves('a')
  peers.leaves('a')
  now = 100
  peers.judge()
  expect(told).toEqual(['met a', 'lost a'])
})

test('who is silent for longer than the patience is lost', () => {
  const peers = meet()
  peers.seen('a')
  now = 5
  peers.seen('b')
  now = 10
  peers.judge()
  expect(told).toEqual(['met a', 'met b'])
  now = 11
  peers.judge()
  expect(told.slice(2)).toEqual(['lost a'])
})
