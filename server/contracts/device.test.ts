import { expect, test } from 'vitest'
import { deviceOf } from './device'

test('browsers and systems are told apart by what they say of themselves', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  const said = [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
    `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/141.0.0.0 Safari/537.36`,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
    '',
  ]
  expect(said.map(deviceOf)).toEqual([
    { browser: 'Edge', system: 'Windows', small: false },
    { browser: 'Chrome', system: 'Linux', small: false },
    { browser: 'Safari', system: 'iOS', small: true },
    { browser: 'Firefox', system: 'Android', small: true },
    { browser: '', system: '', small: false },
  ])
})
