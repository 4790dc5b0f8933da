import { expect, test } from 'vitest'
import { createProgram } from '../../engine/run/program'
import { replay } from '../../engine/run/recording'
import { flowAround, stillRuntime } from '../../tests/support/conversations'
import { registry } from '../registry'
import { linkOpened } from './block'
import { linkOpenedDefaults } from './schema'

const data = (more: object) => ({ ...linkOpenedDefaults(), ...more })
const referral = { headline: 'Half price', body: '', url: 'https://ad.example', id: '7', type: 'ad', clickId: 'c1' }
const programOf = (more: object, variables = {}) =>
  createProgram(flowAround('link-opened', data(more), variables), registry)

test('the text of the link leads to it, in whatever case and with words behind it, and no other text does', () => {
  const { openedBy } = programOf({ text: 'Book  a table' })
  for (const text of ['Book a table', ' book a TABLE ', 'Book a table, for two']) expect(openedBy(text)).toBe('subject')
  for (const text of ['', 'Book', 'Book a tablet', 'I book a table']) expect(openedBy(text)).toBeNull()
})

test('a trigger without a text is opened by no link', () => {
  const program = programOf({ text: ' ', ads: true })
  expect(program.openedBy('')).toBeNull()
  expect(program.openedBy(' ')).toBeNull()
  expect(program.linkTexts).toEqual([])
})

test('of two texts the longer one that fits counts', () => {
  const flow = flowAround('link-opened', data({ text: 'Book' }))
  const other = {
    ...flow.groups[0]?.blocks.find(({ id }) => id === 'subject'),
    id: 'longer',
    data: data({ text: 'Book a table' }),
  }
  const groups = flow.groups.map((group, at) =>
    at === 0 ? { ...group, blocks: [...group.blocks, other as never] } : group,
  )
  const program = createProgram({ ...flow, groups }, registry)
  expect(program.openedBy('Book a table now')).toBe('longer')
  expect(program.openedBy('Book now')).toBe('subject')
})

test('starts for who opened its link, and for ads only where that is set', () => {
  const starts = (more: object, event: object) =>
    linkOpened.startsOn?.(data(more), { type: 'start', ...event }, 'subject')
  expect(starts({}, { opened: 'subject' })).toBe(true)
  expect(starts({ ads: true }, { opened: 'another', referral })).toBe(false)
  expect(starts({ ads: true }, { referral })).toBe(true)
  expect(starts({}, { referral })).toBe(false)
  expect(starts({ ads: true }, {})).toBe(false)
})

test('keeps what is known of the ad, and nothing of a link', () => {
  const program = programOf(
    { ads: true, saveHeadline: 'headline', saveBody: 'body', saveClickId: 'click' },
    { headline: 'old', body: 'old', click: null },
  )
  const variables = (event: object) =>
    replay(program, { event: { type: 'start', ...event }, replies: [] }, stillRuntime).turns[0]?.variables
  expect(variables({ referral })).toMatchObject({ headline: 'Half price', body: null, click: 'c1' })
  expect(variables({ opened: 'subject' })).toMatchObject({ headline: 'old', body: 'old' })
})
