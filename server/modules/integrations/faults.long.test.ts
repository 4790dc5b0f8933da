import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '../../../engine/values/json'
import { createTestClock } from '../../../tests/support/clock'
import { writeContext } from '../../../tests/support/effects'
import { startVendorWrites, type VendorWrite } from '../../../tests/support/vendors/vendorWrites'
import type { Fault } from '../../sandbox/faults'
import { createIntegrations, type Integrations } from './createIntegrations'

/** Every kind of call that writes, by whatever may happen to it. */
const clock = createTestClock('2026-11-23T10:00:00Z')
let vendors: Awaited<ReturnType<typeof startVendorWrites>>
let parts: Integrations
let words = 0

beforeAll(async () => {
  vendors = await startVendorWrites({ clock })
  // search finds what is new some seconds later
  vendors.hubspot.state.searchDelay = 10
  parts = createIntegrations(vendors.server.context, { wait: async (ms) => clock.pass(ms / 1_000) })
})
afterAll(() => vendors.close())

const TOKEN = 'POST *token*'
/** What goes wrong, in order; a `*` stands for the request that writes. */
const scripts: Record<string, readonly Fault[]> = {
  'the connection breaks before the write': [{ on: '*', with: 'cutBeforeWrite' }],
  'the connection breaks after the write': [{ on: '*', with: 'cutAfterWrite' }],
  'each answer gets lost': [{ on: '*', with: 'cutAfterWrite', times: 9 }],
  'no request arrives': [{ on: '*', with: 'cutBeforeWrite', times: 9 }],
  'it fails before the write': [{ on: '*', with: 'serverError' }],
  'it fails after the write': [{ on: '*', with: 'serverErrorAfterWrite' }],
  'it fails after the write, and again': [{ on: '*', with: 'serverErrorAfterWrite', times: 9 }],
  'another was faster': [{ on: '*', with: 'conflict' }],
  'it is busy, and says how long': [{ on: '*', with: 'tooMany', retryAfter: 7, times: 3 }],
  'it is busy, and does not say how long': [{ on: '*', with: 'tooMany', times: 3 }],
  'it answers late': [{ on: '*', with: 'slow', seconds: 12 }],
  'a proxy answers with a page': [{ on: '*', with: 'html' }],
  'half an answer comes': [{ on: '*', with: 'halfJson' }],
  'the token has run out': [{ on: '*', with: 'unauthorized' }],
  'the token has run out, and the new one got lost': [
    { on: '*', with: 'unauthorized' },
    { on: TOKEN, with: 'cutAfterWrite' },
    { on: TOKEN, with: 'refreshTwice' },
  ],
  'a scope is missing': [{ on: '*', with: 'forbidden' }],
  'the person withdraws the consent': [{ on: '*', with: 'tokenRevoked' }],
}

/** Makes what is changed, which search then finds. */
async function prepare(write: VendorWrite): Promise<string> {
  const word = `word-${++words}`
  await write.prepare?.(word)
  clock.pass(11)
  return word
}

async function make(write: VendorWrite, word: string): Promise<{ ok: boolean }> {
  const context = writeContext(vendors.projectId, `${write.name} ${word}`)
  const answer: Promise<Json> = parts[write.effect].answer(write.request(word), context)
  return (await answer) as { ok: boolean }
}

const found = { calls: 0, succeeded: 0, effects: 0, twice: [] as string[] }

/** Makes a call while that goes wrong, then the same one again: it is done once at most, and once if it says so. */
async function makeAmid(write: VendorWrite, script: string, faults: readonly Fault[]): Promise<void> {
  const word = await prepare(write)
  const about = `${write.name}, ${script}`
  const standIn = vendors.standIns[write.vendor]
  for (const fault of faults) standIn.fail({ ...fault, on: fault.on === '*' ? write.on : fault.on })
  // what answers late waits for the clock
  const ticking = setInterval(() => clock.pass(1), 5)
  const first = await make(write, word).finally(() => clearInterval(ticking))
  const effects = write.effects(word)
  found.calls++
  found.succeeded += Number(first.ok)
  found.effects += effects
  if (effects > 1) found.twice.push(about)
  expect.soft(effects, `${about}: ${JSON.stringify(first)}`).toBe(first.ok ? 1 : Math.min(effects, 1))

  standIn.faults.clear()
  if (faults.some((fault) => fault.with === 'tokenRevoked' || fault.on === TOKEN || fault.with === 'forbidden'))
    await vendors.connect[write.vendor]()
  clock.pass(61)
  const again = await make(write, word)
  const total = write.effects(word)
  if (total > 1) found.twice.push(`${about}, made again`)
  expect.soft(total, `${about}, made again: ${JSON.stringify(again)}`).toBe(1)
  expect.soft(again, `${about}, made again`).toMatchObject({ ok: true })
}

beforeEach(() => {
  for (const { faults, calls } of Object.values(vendors.standIns)) {
    faults.clear()
    calls.length = 0
  }
  clock.pass(61)
})

test.each(Object.entries(scripts))('no write is done twice when %s', async (script, faults) => {
  for (const write of vendors.writes) await makeAmid(write, script, faults)
})

test('no write is done twice when its answer gets lost and nothing can be asked', async () => {
  for (const write of vendors.writes) {
    // how much is asked before it is written
    const word = await prepare(write)
    const { calls } = vendors.standIns[write.vendor]
    const from = calls.length
    expect(await make(write, word), write.name).toMatchObject({ ok: true })
    const isRead = ({ method, path }: { method: string; path: string }) => method === 'GET' || path.endsWith('/search')
    const asked = calls.slice(from).filter(isRead)
    await makeAmid(write, 'nothing can be asked', [
      { on: '*', with: 'cutAfterWrite' },
      { on: 'GET *', with: 'serverError', times: 99, after: asked.filter(({ method }) => method === 'GET').length },
      {
        on: 'POST *search',
        with: 'serverError',
        times: 99,
        after: asked.filter(({ method }) => method !== 'GET').length,
      },
    ])
  }
})

test('all of it kept to the vendors’ contracts', () => {
  for (const { broken } of Object.values(vendors.standIns)) expect(broken).toEqual([])
  // biome-ignore lint/suspicious/noConsole: the figures are part of the result
  console.info(
    `${vendors.writes.length} kinds of writes, ${Object.keys(scripts).length + 1} faults: ${found.calls} calls, ${found.succeeded} succeeded at once, ${found.effects} effects, ${found.twice.length} done twice${found.twice.map((about) => `\n  ${about}`).join('')}`,
  )
})
