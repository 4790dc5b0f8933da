import type { LookupAddress, LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { expect, test } from 'vitest'
import { parseNetworks } from './addresses'
import { guardLookup } from './guardLookup'

/** @returns what the socket that asked is told of a name with these addresses */
function told(found: LookupAddress[] | Error, options: LookupOptions = {}, allowed = ''): Promise<unknown[]> {
  const resolver: LookupFunction = (_hostname, { all }, callback) => {
    expect(all).toBe(true)
    if (found instanceof Error) callback(found as NodeJS.ErrnoException, [])
    else callback(null, found)
  }
  return new Promise((resolve) =>
    guardLookup(parseNetworks(allowed), resolver)('shop.example', options, (...answer) => resolve(answer)),
  )
}
const open = { address: '93.184.216.34', family: 4 }
const second = { address: '2606:2800:220:1::1', family: 6 }
const inside = { address: '10.0.0.1', family: 4 }

test('who asks for one address gets the first with its family, who asks for all gets all', async () => {
  expect(await told([open, second])).toEqual([null, open.address, 4])
  expect(await told([open, second], { all: true })).toEqual([null, [open, second]])
})

test.each([[[inside]], [[open, inside]], [[inside, open]]])('%j is refused, and no address told', async (found) => {
  for (const all of [true, false])
    expect(await told(found, { all })).toEqual([expect.objectContaining({ code: 'private_address' }), []])
  expect(await told(found, { all: true }, '10.0.0.0/8')).toEqual([null, found])
})

test('a name without an address is unknown, and a failure is passed on', async () => {
  expect(await told([])).toEqual([expect.objectContaining({ code: 'unknown_host' }), []])
  const failure = new Error('down')
  expect(await told(failure)).toEqual([failure, []])
})
