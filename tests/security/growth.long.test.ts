import { describe, expect, test } from 'vitest'
import { readHtml } from '../../server/modules/knowledge/page/readHtml'
import { toMarkdown } from '../../server/modules/knowledge/page/toMarkdown'
import { parseTree } from '../../server/modules/knowledge/page/tree'
import { doorSubjects } from './growth/doorSubjects'
import { families } from './growth/families'
import { worstGrowth } from './growth/measure'
import { pageShapes } from './growth/pageShapes'
import { subjects } from './growth/subjects'

const PATIENCE = 300_000

// everybody shares one event loop: whoever sends twice as much may take a little more than twice the time of the others, and no more
describe('time grows with the length of a foreign text, whatever it says', () => {
  test.each(Object.entries({ ...subjects, ...doorSubjects }))(
    '%s',
    async (_, { run, ...lengths }) => {
      const bad: Record<string, unknown> = {}
      for (const [family, textOf] of Object.entries(families)) {
        const growth = await worstGrowth(run, textOf, lengths)
        if (growth) bad[family] = growth
      }
      expect(bad).toEqual({})
    },
    PATIENCE,
  )
})

// Readability is left out of pages that are larger: what is measured is the rest
test.each(Object.entries(pageShapes))(
  'a page with %s takes time by its size, whatever its shape',
  async (_, textOf) => {
    expect(await worstGrowth((html) => toMarkdown(parseTree(html).root), textOf, { most: 400_000 })).toBeNull()
    expect(
      await worstGrowth((html) => readHtml(html, 'https://a.b/'), textOf, { most: 4_000_000, least: 1_000_000 }),
    ).toBeNull()
  },
  PATIENCE,
)

test(
  'what grows with the square is seen as such',
  async () => {
    const square = (text: string) => text.replace(/ +$/, '')
    expect(await worstGrowth(square, (length) => `${' '.repeat(length)}a`, { most: 30_000 })).toMatchObject({
      factor: expect.closeTo(4, 0),
    })
  },
  PATIENCE,
)
