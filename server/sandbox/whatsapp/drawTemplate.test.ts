import { expect, test } from 'vitest'
import { drawTemplate } from './drawTemplate'

test('a template has its picture, its texts filled, buttons that answer, and links that open an address', () => {
  const template = {
    ...{ id: '7', name: 'ready', language: 'en', category: 'UTILITY', status: 'APPROVED', quality: '' },
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Hello {{1}}' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Thanks' },
          { type: 'URL', text: 'Look', url: 'https://a.example/orders/{{1}}' },
          { type: 'URL', text: 'Odd', url: 'javascript:alert(1)' },
          { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+441' },
        ],
      },
    ],
  }
  const components = [
    { type: 'header', parameters: [{ type: 'image', image: { link: 'https://a.example/bike.png' } }] },
    { type: 'body', parameters: [{ type: 'text', text: 'Ben' }] },
    { type: 'button', sub_type: 'url', index: 1, parameters: [{ type: 'text', text: '12' }] },
  ]
  const content = { type: 'template', template: { name: 'ready', components } }
  const { text } = drawTemplate(
    { id: 'wamid.1', from: 'business', at: new Date(), content } as never,
    template as never,
    '/phones/1/press',
  )
  expect(text).toContain('<img src="https://a.example/bike.png"')
  expect(text).toContain('Hello Ben')
  expect(text).toContain('<a href="https://a.example/orders/12" target="_blank" rel="noreferrer">Look</a>')
  expect(text).not.toContain('javascript:')
  expect(text.match(/<button/g)).toHaveLength(1)
})
