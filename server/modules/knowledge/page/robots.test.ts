import { expect, test } from 'vitest'
import { createRobots } from './robots'

test('an address that would take long to compare with a host’s wildcards is left alone', async () => {
  const body = Buffer.from(`User-agent: *\nDisallow: ${'*a'.repeat(30_000)}b\n`)
  const answer = { status: 200, headers: {}, body, cut: false, url: 'https://a.b/robots.txt' }
  const robots = await createRobots(async () => answer)('https://a.b/')
  expect(robots.allows('https://a.b/page')).toBe(true)
  expect(robots.allows(`https://a.b/${'a'.repeat(7_000)}`)).toBe(false)
})
