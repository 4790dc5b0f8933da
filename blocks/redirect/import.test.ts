import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'

const redirect = (options: object, ...variables: string[]) => importBlock({ type: 'Redirect', options }, ...variables)

test('a redirect keeps its address and where it opens', () => {
  expect(redirect({ url: 'https://a.test', isNewTab: true })).toMatchObject({
    kind: 'redirect',
    data: { url: { type: 'static', value: 'https://a.test' }, newTab: true },
    notes: [],
  })
  expect(redirect({}).data).toEqual({ url: { type: 'static', value: '' }, newTab: false })
  expect(redirect({ url: '{{Page}}' }, 'Page').data.url).toMatchObject({ type: 'dynamic' })
})

test('an address without its beginning is completed; what is none stays a placeholder', () => {
  expect(redirect({ url: 'a.test/page' }).data.url).toEqual({ type: 'static', value: 'https://a.test/page' })
  expect(redirect({ url: 'javascript:alert(1)' }).kind).toBe('placeholder')
})
