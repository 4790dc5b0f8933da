import { expect, it } from 'vitest'
import type { Diagnostic } from '../../../engine/check/diagnostic'
import { markProblems } from './problemLayer'

const problem = (severity: Diagnostic['severity'], place: Diagnostic['place'], code: string): Diagnostic =>
  ({ code, severity, place, values: {} }) as Diagnostic

const mark = (...diagnostics: Diagnostic[]) => markProblems(diagnostics, ({ code }) => `${code}.`)

it('marks the narrowest place that a problem names', () => {
  const { groups, blocks, edges } = mark(
    problem('error', { groupId: 'g', blockId: 'b', portId: 'p' }, 'port'),
    problem('error', { groupId: 'g', blockId: 'b' }, 'block'),
    problem('warning', { groupId: 'g' }, 'group'),
    problem('warning', { edge: { from: { blockId: 'c', portId: 'q' }, to: { groupId: 'g' } } }, 'edge'),
    problem('warning', { variableId: 'v' }, 'variable'),
  )
  expect([...edges.keys()]).toEqual(['b/p', 'c/q'])
  expect([...blocks.keys()]).toEqual(['b'])
  expect([...groups.keys()]).toEqual(['g'])
})

it('says all problems of a place in one mark, in the tone of the first', () => {
  const place = { groupId: 'g', blockId: 'b' }
  const { blocks } = mark(problem('error', place, 'bad'), problem('warning', place, 'odd'))
  expect(blocks.get('b')).toEqual({ tone: 'error', label: 'bad.\nodd.' })
})

it('draws nothing for what is only told', () => {
  expect(mark(problem('info', { groupId: 'g' }, 'note')).groups.size).toBe(0)
})
