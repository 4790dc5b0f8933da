import { expect, test } from 'vitest'
import { videoSource } from './videoSource'

const player = (url: string) => {
  const source = videoSource(url)
  return source.kind === 'file' ? 'file' : source.embedUrl
}

test.each([
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://youtube.com/watch?feature=share&v=dQw4w9WgXcQ&list=PL0',
  'http://m.youtube.com/watch?v=dQw4w9WgXcQ',
  'https://youtu.be/dQw4w9WgXcQ?si=abc',
  'https://www.youtube.com/embed/dQw4w9WgXcQ',
  'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
  'https://www.youtube.com/shorts/dQw4w9WgXcQ',
  'https://www.youtube.com/live/dQw4w9WgXcQ#x',
])('a page of YouTube is shown in its player without cookies: %s', (url) => {
  expect(player(url)).toBe('https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ')
})

test.each([
  ['t=90', 90],
  ['t=1m30s', 90],
  ['t=90s', 90],
  ['start=1', 1],
  ['t=1h2m3s', 3723],
  ['t=0', null],
  ['t=soon', null],
])('it begins where the address says: %s', (time, start) => {
  expect(player(`https://youtu.be/dQw4w9WgXcQ?${time}`)).toBe(
    `https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ${start === null ? '' : `?start=${start}`}`,
  )
})

test.each([
  ['https://vimeo.com/76979871', '76979871'],
  ['https://vimeo.com/76979871#t=10', '76979871'],
  ['https://www.vimeo.com/channels/staffpicks/76979871', '76979871'],
  ['https://vimeo.com/groups/shorts/videos/76979871', '76979871'],
  ['https://player.vimeo.com/video/76979871?autoplay=1', '76979871'],
  ['https://vimeo.com/76979871/8272103f6e', '76979871?h=8272103f6e'],
  ['https://player.vimeo.com/video/76979871?h=8272103f6e&badge=0', '76979871?h=8272103f6e'],
])('a page of Vimeo is shown in its player, with the key of a private one: %s', (url, video) => {
  expect(player(url)).toBe(`https://player.vimeo.com/video/${video}`)
})

test.each([
  'https://a.example/film.mp4',
  '/files/aaaabbbbccccdddd',
  'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
  'https://evil.example/https://youtu.be/dQw4w9WgXcQ',
  'javascript:https://youtu.be/dQw4w9WgXcQ',
  'https://youtu.be/short',
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ-more-than-eleven',
  'https://www.youtube.com/@channel',
  'https://vimeo.com/about',
  'https://vimeo.com.evil.example/76979871',
  'https://vimeo.com/76979871x',
  '',
])('anything else is a file: %s', (url) => {
  expect(player(url)).toBe('file')
})
