import { expect, test } from 'vitest'
import { OutboundError, type OutboundErrorCode, outboundErrors } from './errors'

const codes = Object.keys(outboundErrors) as OutboundErrorCode[]

test.each(codes)('%s names what was given, in a sentence, unless it is long: then it is cut', (code) => {
  const told = (value: string) => new OutboundError(code, value).message
  const named = code === 'aborted' ? 0 : 1
  expect(told('shop.example')).toMatch(/^[A-Z"s].+\.$/)
  expect(told('shop.example').split('shop.example')).toHaveLength(named + 1)
  expect(told('v'.repeat(200)).split('v'.repeat(200))).toHaveLength(named + 1)
  expect(told('v'.repeat(200))).not.toContain('…')
  expect(told('v'.repeat(201)).split(`${'v'.repeat(200)}…`)).toHaveLength(named + 1)
  expect(told('v'.repeat(100_000)).length).toBeLessThan(600)
})

test('it keeps its code and its cause', () => {
  const cause = new Error('ECONNREFUSED')
  expect(new OutboundError('refused', 'shop.example', { cause })).toMatchObject({
    name: 'OutboundError',
    code: 'refused',
    message: 'shop.example refused the connection: check the URL and its port.',
    cause,
  })
})
