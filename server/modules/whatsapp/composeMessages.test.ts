import { describe, expect, test } from 'vitest'
import type { InputRequest } from '../../../engine/flow/conversation'
import { plainRichText } from '../../../engine/values/richText'
import { composeMessages } from './composeMessages'
import { splitText } from './splitText'

const say = (text: string) => ({ kind: 'text' as const, text: plainRichText(text) as never })
const choose = (labels: string[], more: Partial<Extract<InputRequest, { input: 'choice' }>> = {}): InputRequest => ({
  ...{ input: 'choice', multiple: false, typing: false, placeholder: '' },
  options: labels.map((label, at) => ({ id: `option-${at}`, label })),
  ...more,
})
const words = { choose: 'Choose', skip: 'Skip' }
const compose = (text: string, request: InputRequest | null = null) => composeMessages(say(text), request, words)
const bodies = (text: string, request: InputRequest | null = null) =>
  compose(text, request).map(({ text: body }) => (body as { body: string } | undefined)?.body)

describe('options', () => {
  test('up to three are buttons under the text', () => {
    expect(compose('Which one?', choose(['Blue', 'Red']))).toEqual([
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          body: { text: 'Which one?' },
          action: {
            buttons: [
              { type: 'reply', reply: { id: 'option-0', title: 'Blue' } },
              { type: 'reply', reply: { id: 'option-1', title: 'Red' } },
            ],
          },
        },
      },
    ])
  })

  test('up to ten are a list, whose cut labels stand whole below', () => {
    const long = 'A label that is longer than a row of a list'
    const [message] = compose('Which one?', choose(['1', '2', '3', long]))
    expect(message).toMatchObject({ interactive: { type: 'list', action: { button: 'Choose' } } })
    const list = message as never as { interactive: { action: { sections: { rows: object[] }[] } } }
    const rows = list.interactive.action.sections[0]?.rows
    expect(rows?.[3]).toEqual({ id: 'option-3', title: 'A label that is longer …', description: long })
  })

  test('up to thirty are several lists, each of which says what it has', () => {
    const eleven = Array.from({ length: 11 }, (_, at) => `Option ${at}`)
    expect(compose('Which?', choose(eleven))).toMatchObject([
      { interactive: { type: 'list', body: { text: 'Which?' }, action: { button: 'Choose 1–10' } } },
      {
        interactive: {
          ...{ type: 'list', body: { text: '11–11' } },
          action: { button: 'Choose 11–11', sections: [{ rows: [{ id: 'option-10', title: 'Option 10' }] }] },
        },
      },
    ])
  })

  test('one that opens an address alone is a button that does so', () => {
    const request = choose([])
    if (request.input === 'choice') request.options.push({ id: 'site', label: 'Our site', url: 'https://a.example' })
    expect(compose('Look around', request)).toEqual([
      {
        type: 'interactive',
        interactive: {
          ...{ type: 'cta_url', body: { text: 'Look around' } },
          action: { name: 'cta_url', parameters: { display_text: 'Our site', url: 'https://a.example' } },
        },
      },
    ])
  })

  test('of cards are rows of a list that say of which card they are', () => {
    const items = ['Kayak', 'Canoe'].map((title, at) => ({
      ...{ id: title, title, description: '' },
      buttons: [{ id: `option-${at}`, label: 'Rent' }],
    }))
    const asked = composeMessages({ kind: 'carousel', items }, choose(['Rent', 'Rent'], { shown: 'cards' }), words)
    expect(asked.at(-1)).toMatchObject({
      interactive: {
        ...{ type: 'list', body: { text: 'Choose' } },
        action: { sections: [{ rows: [{ title: 'Rent', description: 'Kayak' }, { description: 'Canoe' }] }] },
      },
    })
  })

  test('are numbers in the text where there are still more, several may be chosen, or labels are the same', () => {
    const many = Array.from({ length: 31 }, (_, at) => `Option ${at}`)
    expect(bodies('Which?', choose(many))[0]).toContain('\n31. Option 30')
    expect(bodies('Which?', choose(['Blue', 'Red'], { multiple: true }))).toEqual(['Which?\n1. Blue\n2. Red'])
    const twins = ['The same label', 'The same label']
    expect(bodies('Which?', choose(twins))).toEqual([`Which?\n1. ${twins[0]}\n2. ${twins[1]}`])
  })

  test('that open an address are lines of the text', () => {
    const request = choose(['Yes'])
    if (request.input === 'choice') request.options.push({ id: 'site', label: 'Our site', url: 'https://a.example' })
    expect(compose('Go on?', request)).toMatchObject([
      { interactive: { body: { text: 'Go on?\nOur site: https://a.example' }, action: { buttons: [{}] } } },
    ])
  })

  test('stand under the end of a long text, after the rest of it', () => {
    const text = `${'A sentence. '.repeat(120)}The last one?`
    const [before, buttons] = compose(text, choose(['Yes', 'No']))
    expect(before).toMatchObject({ type: 'text' })
    const body = (buttons as never as { interactive: { body: { text: string } } }).interactive.body.text
    expect(body.length).toBeLessThanOrEqual(1_024)
    expect(body).toMatch(/The last one\?$/)
  })
})

test('a form is asked line by line, with what was wrong', () => {
  const field = { required: true, placeholder: '', choices: [] }
  const request: InputRequest = {
    ...{ input: 'form', required: true, submitLabel: 'Send' },
    fields: [
      { ...field, id: 'a', label: 'Name', type: 'text' },
      { ...field, id: 'b', label: 'Email', type: 'email', problem: 'Enter a valid email address' },
    ],
  }
  expect(bodies('Who are you?', request)).toEqual(['Who are you?\n1. Name*\n2. Email* – Enter a valid email address'])
})

test('pictures, cards, files and places of the web become what WhatsApp has', () => {
  const kinds = (content: Parameters<typeof composeMessages>[0]) => composeMessages(content, null, words)
  expect(kinds({ kind: 'image', url: 'https://a.example/a.png', alt: 'A bicycle' })).toEqual([
    { type: 'image', image: { link: 'https://a.example/a.png', caption: 'A bicycle' } },
  ])
  expect(kinds({ kind: 'redirect', url: 'https://a.example', newTab: false })).toMatchObject([
    { type: 'text', text: { body: 'https://a.example' } },
  ])
  const card = { id: 'c', title: 'Kayak', description: 'For two', image: 'https://a.example/k.png', buttons: [] }
  expect(kinds({ kind: 'carousel', items: [card, { ...card, image: undefined }] })).toMatchObject([
    { type: 'image', image: { caption: '*Kayak*\nFor two' } },
    { type: 'text', text: { body: '*Kayak*\nFor two' } },
  ])
  const file = { name: 'offer.pdf', url: 'https://a.example/f', type: 'application/pdf', size: 9 }
  expect(kinds({ kind: 'files', files: [file] })).toEqual([
    { type: 'document', document: { link: file.url, filename: 'offer.pdf' } },
  ])
})

test('places and cards are what WhatsApp has for them; a place is asked for by its button', () => {
  const text = plainRichText('In words') as never
  const native = (given: NonNullable<Extract<Parameters<typeof composeMessages>[0], { kind: 'text' }>['native']>) =>
    composeMessages({ kind: 'text', text, native: given }, null, words)
  expect(native({ type: 'location', latitude: 51.5, longitude: -0.1, name: 'Workshop', address: '' })).toEqual([
    { type: 'location', location: { latitude: 51.5, longitude: -0.1, name: 'Workshop' } },
  ])
  const document = { type: 'document', url: '/files/aaaabbbbccccdddd', name: 'prices.pdf' } as const
  expect(native({ ...document, caption: '' })).toEqual([
    { type: 'document', document: { link: document.url, filename: 'prices.pdf' } },
  ])
  expect(native({ ...document, caption: 'x'.repeat(2_000) })).toMatchObject([
    { document: { caption: expect.stringMatching(/^x{1023}…$/) } },
  ])
  expect(native({ type: 'contact', name: 'Ada', phone: '+44 1', email: '', company: 'Acme', url: '' })).toEqual([
    {
      type: 'contacts',
      contacts: [
        {
          name: { formatted_name: 'Ada', first_name: 'Ada' },
          phones: [{ phone: '+44 1', type: 'WORK' }],
          org: { company: 'Acme' },
        },
      ],
    },
  ])
  const where: InputRequest = {
    ...{ input: 'text', wants: 'location', long: false, maxLength: 100, placeholder: '', required: true },
  }
  expect(compose('Where are you?', where)).toEqual([
    {
      type: 'interactive',
      interactive: {
        ...{ type: 'location_request_message', body: { text: 'Where are you?' }, action: { name: 'send_location' } },
      },
    },
  ])
})

describe('long texts', () => {
  test('are cut after a paragraph, else a sentence, else a word, and never within a character', () => {
    expect(splitText('One two. Three four. Five', 22)).toEqual(['One two. Three four.', 'Five'])
    expect(splitText('first part\n\nsecond', 14)).toEqual(['first part', 'second'])
    expect(splitText('some words without an end', 12)).toEqual(['some words', 'without an', 'end'])
    expect(splitText('😀'.repeat(6), 5).join('')).toBe('😀'.repeat(6))
    for (const part of splitText('😀'.repeat(6), 5)) expect(part).not.toMatch(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/)
  })

  test('lose nothing', () => {
    const text = Array.from({ length: 900 }, (_, at) => `Word${at}${at % 9 === 0 ? '.' : ''}`).join(' ')
    const parts = splitText(text, 300)
    expect(parts.join(' ')).toBe(text)
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(300)
    expect(bodies(text.repeat(3)).length).toBeGreaterThan(1)
  })
})
