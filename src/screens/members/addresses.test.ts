import { expect, test } from 'vitest'
import { readAddresses } from './addresses'

test.each([
  ['', []],
  [' Ada@Example.com ', ['ada@example.com']],
  ['a@x.org, b@x.org;c@x.org d@x.org\n\te@x.org,', ['a@x.org', 'b@x.org', 'c@x.org', 'd@x.org', 'e@x.org']],
  ['"Lovelace, Ada" <ada@x.org>, Grace Hopper <grace@x.org>', ['ada@x.org', 'grace@x.org']],
  ['a@x.org A@X.ORG', ['a@x.org']],
  ['a@x.org nobody', ['a@x.org', 'nobody']],
])('%j holds %j', (text, addresses) => {
  expect(readAddresses(text)).toEqual(addresses)
})
