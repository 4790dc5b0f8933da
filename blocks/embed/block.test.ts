import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import { flowAround, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { embedDefaults, embedSchema } from './schema'

const still = (value: string) => ({ type: 'static', value })
const messages = (data: object, value = '') => {
  const program = createProgram(flowAround('embed', { ...embedDefaults(), ...data }, { v: value }), registry)
  return replay(program, { replies: [] }, stillRuntime).turns[0]?.messages
}

test('shows the page with its title at its height', () => {
  expect(messages({ url: still('https://a.example/map'), title: still('Our shop'), height: 320 })).toEqual([
    { kind: 'embed', url: 'https://a.example/map', title: 'Our shop', height: 320, blockId: 'subject' },
  ])
})

test.each(['javascript:alert(1)', 'data:text/html,<script>1</script>', '/files/aaaabbbbccccdddd', ''])(
  'an address from a variable that is not http(s) is not shown: %s',
  (value) => {
    expect(messages({ url: { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'v' }] } }, value)).toEqual([])
  },
)

test('is between 100 and 1000 px high', () => {
  const valid = (height: number) => embedSchema.safeParse({ ...embedDefaults(), height }).success
  expect([99, 100, 1000, 1001, 100.5].map(valid)).toEqual([false, true, true, false, false])
})
