import fc from 'fast-check'
import { expect, test } from 'vitest'
import { voiceMessage } from '../../../tests/support/voiceMessage'
import { oggLength } from './oggLength'

test('a voice message has as many seconds as its last page says', () => {
  expect(oggLength(voiceMessage(12.5))).toBe(12.5)
  // a last page on which no packet ends, and one that was cut
  expect(oggLength(Buffer.concat([voiceMessage(3), voiceMessage(null)]))).toBe(3)
  expect(oggLength(Buffer.concat([voiceMessage(3), Buffer.from('OggS')]))).toBe(3)
})

test('what is something else, or says nothing, has no known length', () => {
  expect(oggLength(Buffer.from('ID3 and so on'))).toBeNull()
  expect(oggLength(voiceMessage(null))).toBeNull()
  expect(oggLength(new Uint8Array())).toBeNull()
})

test('no bytes make it throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(60), (bytes, cut) => {
      const length = oggLength(Buffer.concat([voiceMessage(1).subarray(0, cut), bytes]))
      expect(length === null || length >= 0).toBe(true)
    }),
    { seed: 20261129, numRuns: 300 },
  )
})
