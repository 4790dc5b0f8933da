import { expect, test } from 'vitest'
import { createMetAddresses } from './metAddresses'

test('an address is handed on once, and again only where what was made of it was not kept', () => {
  const met = createMetAddresses()
  expect(met.unmet(['/a', '/b', '/a'])).toEqual(['/a', '/b'])
  expect(met.unmet(['/b', '/c'])).toEqual(['/c'])
  met.keep()
  expect(met.unmet(['/a', '/d'])).toEqual(['/d'])
  met.drop()
  expect(met.unmet(['/c', '/d'])).toEqual(['/d'])
})

test('what a site of endless links makes it remember is bounded', () => {
  const met = createMetAddresses()
  for (let page = 0; page < 11; page++) {
    met.unmet(Array.from({ length: 5_000 }, (_, n) => `/${page}/${n}`))
    met.keep()
  }
  expect(met.unmet(['/0/1', '/10/1'])).toEqual(['/0/1'])
})
