import { expect, test } from 'vitest'
import { ownPath } from './ownPath'

const origin = 'https://parley.example.com'

test.each(['/projects/abc?x=1#top', '/', '/chatbots/%20'])('%s leads back', (path) => {
  expect(ownPath(path, origin)).toBe(path)
})

test.each([
  null,
  '',
  'projects',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n//evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
])('%j leads nowhere else', (next) => {
  expect(ownPath(next, origin)).toBe('/')
})
