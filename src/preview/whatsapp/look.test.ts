import { expect, test } from 'vitest'
import type { BotMessage, InputRequest } from '../../../engine/flow/conversation'
import { parseDate } from '../../../engine/values/date'
import { composeMessages } from '../../../server/modules/whatsapp/composeMessages'
import { answersOf, bubblesOf, exampleDate, missesOptions, replyOf } from './look'

const bubbleOf = (message: BotMessage) => bubblesOf(message)[0]

const choice = (labels: string[], more: object = {}): InputRequest => ({
  input: 'choice',
  multiple: false,
  typing: false,
  placeholder: '',
  options: labels.map((label, at) => ({ id: `o${at}`, label })),
  ...more,
})

test('texts carry WhatsApp’s marks, and links their address', () => {
  const children = [
    { text: 'Say ' },
    { text: 'this ', bold: true as const },
    { text: 'now', bold: true as const, italic: true as const },
    { text: ' here', link: 'https://example.com' },
  ]
  expect(bubbleOf({ kind: 'text', text: [{ type: 'paragraph', children }] })?.text).toBe(
    'Say *this* _*now*_ here (https://example.com)',
  )
})

test('a place and a contact card show what stands on them, without the links of other channels', () => {
  const native = {
    type: 'location',
    latitude: 51.5,
    longitude: -0.1,
    name: 'Workshop',
    address: '1 High Street',
  } as const
  expect(bubbleOf({ kind: 'text', text: [], native })?.text).toBe('*Workshop*\n1 High Street\n📍 51.5, -0.1')
  const card = { type: 'contact', name: 'Ada', phone: '+44 1', email: '', company: '', url: '' } as const
  expect(bubbleOf({ kind: 'text', text: [], native: card })?.text).toBe('*Ada*\n+44 1')
})

test('up to three choices are buttons of at most 20 characters, more are rows of a list, still more are numbered', () => {
  const few = answersOf(choice(['Yes', 'The day after tomorrow, early']))
  expect(few.buttons.map(({ label }) => label)).toEqual(['Yes', 'The day after tomor…'])
  expect(few.buttons[1]?.label).toHaveLength(20)
  const many = answersOf(choice(['a', 'b', 'c', 'd']))
  expect(many).toMatchObject({ buttons: [], list: [], rows: ['a', 'b', 'c', 'd'].map((label) => ({ label })) })
  const most = answersOf(choice(Array.from({ length: 31 }, (_, at) => `Option ${at}`)))
  expect(most).toMatchObject({ buttons: [], rows: [] })
  expect(most.list.at(-1)).toBe('31. Option 30')
})

test('an option that opens an address is a link, and answers nothing', () => {
  const options = [
    { id: 'yes', label: 'Yes' },
    { id: 'site', label: 'Our site', url: 'https://a.example' },
  ]
  const request = choice([], { options })
  expect(answersOf(request)).toMatchObject({
    buttons: [{ label: 'Yes' }],
    links: [{ label: 'Our site', url: 'https://a.example' }],
  })
  expect(replyOf('Our site', request)).toEqual({ type: 'text', text: 'Our site' })
})

test('a number, a label or a cut label is the choice; anything else is said as it is', () => {
  const request = choice(['Red', 'Green', 'Blue', 'The day after tomorrow, early'])
  expect(replyOf('2', request)).toEqual({ type: 'choice', optionIds: ['o1'] })
  expect(replyOf(' blue ', request)).toEqual({ type: 'choice', optionIds: ['o2'] })
  expect(replyOf('The day after tomor…', request)).toEqual({ type: 'choice', optionIds: ['o3'] })
  expect(replyOf('7', request)).toEqual({ type: 'text', text: '7' })
  expect(replyOf('1, 3', choice(['a', 'b', 'c'], { multiple: true }))).toEqual({
    type: 'choice',
    optionIds: ['o0', 'o2'],
  })
})

test('what is none of the choices misses a question that takes nothing else', () => {
  expect(missesOptions('9', choice(['Red', 'Green']))).toBe(true)
  expect(missesOptions('green', choice(['Red', 'Green']))).toBe(false)
  expect(missesOptions('9', choice(['Red', 'Green'], { typing: true }))).toBe(false)
})

test('an example of a date is as the question takes it', () => {
  const date = (mode: 'date' | 'time' | 'date-time', range = false) =>
    exampleDate({ input: 'date', placeholder: '', required: true, mode, range })
  for (const mode of ['date', 'time', 'date-time'] as const) expect(parseDate(date(mode), mode)).not.toBeNull()
  expect(
    date('date', true)
      .split('/')
      .map((day) => parseDate(day, 'date')),
  ).not.toContain(null)
})

test('captions end after 1024 characters, and what WhatsApp does not show comes as its address', () => {
  const long = bubbleOf({ kind: 'video', url: 'https://example.com/v.mp4', caption: 'x'.repeat(1025) })
  expect(long).toMatchObject({ isCut: true })
  expect(long?.text).toHaveLength(1024)
  expect(bubbleOf({ kind: 'embed', url: 'https://example.com', title: 'Map', height: 300 })).toEqual({
    text: 'Map\nhttps://example.com',
  })
  expect(bubbleOf({ kind: 'redirect', url: 'https://example.com/shop', newTab: true })).toEqual({
    text: 'https://example.com/shop',
  })
})

test('cards come one below the other, as the channel sends them', () => {
  const items = [
    { id: 'a', title: 'Red', description: 'Warm', image: 'https://example.com/a.png', buttons: [] },
    { id: 'b', title: 'Blue', description: '', buttons: [{ id: 'more', label: 'More', url: 'https://example.com/b' }] },
  ]
  const sent = composeMessages({ kind: 'carousel', items }, null, { choose: 'Choose', skip: 'Skip' })
  const words = sent.map(
    ({ image, text }) => (image as { caption?: string })?.caption ?? (text as { body: string }).body,
  )
  const bubbles = bubblesOf({ kind: 'carousel', items })
  expect(bubbles.map(({ text }) => text)).toEqual(words)
  expect(bubbles.map(({ media }) => media?.url)).toEqual(['https://example.com/a.png', undefined])
})
